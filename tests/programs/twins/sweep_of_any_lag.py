"""A sweep that reaches back by a lag of the caller's choice, around the end for the first columns."""

import numpy as np

TWIN_OF = "adi"
ENTRY = "sweep"
SIZES = {"small": (5, 60, 7)}


def sweep(p, a, b, lag):
    n, m = p.shape
    for j in range(1, m):
        p[:, j] = a / (b + p[:, j - lag])
    for j in range(m - 2, -1, -1):
        p[:, j] += a * p[:, (j + lag) % m]
    return p


def setup(n, m, lag):
    return np.random.default_rng(41).random((n, m)), 0.5, 1.5, lag
