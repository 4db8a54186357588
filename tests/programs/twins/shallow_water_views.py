"""Shallow water whose fluxes are views: the second store reads heights that the first has changed."""

import numpy as np

TWIN_OF = "shallow_water"
ENTRY = "flow"
SIZES = {"small": (12, 5)}


def flow(h, u, v, lam, steps):
    east, west = h[2:, 1:-1], h[:-2, 1:-1]
    north, south = h[1:-1, 2:], h[1:-1, :-2]
    for _ in range(steps):
        h[1:-1, 1:-1] -= lam * (u[2:, 1:-1] - u[:-2, 1:-1] + v[1:-1, 2:] - v[1:-1, :-2])
        u[1:-1, 1:-1] -= lam * (east - west)
        h[0, :], h[-1, :] = h[-2, :], h[1, :]
        v[1:-1, 1:-1] -= lam * (north - south)
        u[0, :] = -u[1, :]


def setup(n, steps):
    rng = np.random.default_rng(34)
    return 1 + 0.1 * rng.random((n, n)), 0.1 * rng.random((n, n)), np.zeros((n, n)), 0.1, steps
