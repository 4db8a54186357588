"""The wave equation with a view of the first buffer kept while the names of the buffers rotate."""

import numpy as np

TWIN_OF = "wave_2d"
ENTRY = "wave"
SIZES = {"small": (12, 7)}


def wave(u_prev, u, C2, steps):
    inner = u[1:-1, 1:-1]
    u_next = np.zeros_like(u)
    for n in range(steps):
        u_next[1:-1, 1:-1] = (
            2 * inner - u_prev[1:-1, 1:-1] + C2 * (u[2:, 1:-1] + u[:-2, 1:-1] - 2 * u[1:-1, 1:-1])
        )
        u_prev, u, u_next = u, u_next, u_prev
    return u, inner


def setup(n, steps):
    u = np.random.default_rng(32).random((n, n))
    return u.copy(), u, 0.2, steps
