"""Successive over-relaxation from row 0 on, whose upper neighbour is the last row, by its index -1."""

import numpy as np

TWIN_OF = "sor"
ENTRY = "sor"
SIZES = {"small": (9, 4)}


def sor(u, omega, sweeps):
    n, m = u.shape
    for _ in range(sweeps):
        for i in range(n - 1):
            for j in range(m - 1):
                u[i, j] = (1 - omega) * u[i, j] + omega * 0.25 * (
                    u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                )
    return u


def setup(n, sweeps):
    return np.random.default_rng(36).random((n, n)), 1.5, sweeps
