"""The three-point average stored where it is read: each point sees its left neighbour's new value."""

import numpy as np

TWIN_OF = "jacobi_1d"
ENTRY = "average"
SIZES = {"small": (40, 6)}


def average(A, steps):
    for _ in range(steps):
        for i in range(1, len(A) - 1):
            A[i] = (A[i - 1] + A[i] + A[i + 1]) / 3
    return A


def setup(n, steps):
    return np.random.default_rng(30).random(n), steps
