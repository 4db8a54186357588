"""A pressure iteration whose old pressure is the new one: the edges read what this iteration has stored."""

import numpy as np

TWIN_OF = "cavity"
ENTRY = "pressure"
SIZES = {"small": (10, 6)}


def pressure(p, b, dx, dy, nit):
    pn = p
    worst = 0.0
    for q in range(nit):
        p[1:-1, 1:-1] = ((pn[1:-1, 2:] + pn[1:-1, :-2]) * dy**2 + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * dx**2) / (
            2 * (dx**2 + dy**2)
        ) - b[1:-1, 1:-1]
        p[:, -1] = pn[:, -2]
        p[0, :] = pn[1, :]
        p[-1, :] = pn[0, :]
        worst = max(worst, np.abs(p - pn).max())
    return p, worst


def setup(n, nit):
    rng = np.random.default_rng(35)
    return rng.random((n, n)), 0.01 * rng.random((n, n)), 0.1, 0.2, nit
