"""Successive over-relaxation of Laplace's equation, point by point: each uses what the sweep has written."""

import numpy as np

ENTRY = "sor"
SIZES = {"bench": (90, 40), "small": (10, 5)}


def sor(u, omega, sweeps):
    n, m = u.shape
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = (1 - omega) * u[i, j] + omega * 0.25 * (
                    u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                )
    return u


def setup(n, sweeps):
    u = np.zeros((n, n))
    u[0, :] = 1.0
    return u, 1.7, sweeps
