"""Game of life in array code with a dead border (Rougier, From Python to Numpy, 4.2)."""

import numpy as np

ENTRY = "iterate"
SIZES = {"bench": (700, 40), "small": (16, 5)}


def iterate(Z, steps):
    for _ in range(steps):
        N = (
            Z[0:-2, 0:-2] + Z[0:-2, 1:-1] + Z[0:-2, 2:]
            + Z[1:-1, 0:-2] + Z[1:-1, 2:]
            + Z[2:, 0:-2] + Z[2:, 1:-1] + Z[2:, 2:]
        )  # fmt: skip
        birth = (N == 3) & (Z[1:-1, 1:-1] == 0)
        survive = ((N == 2) | (N == 3)) & (Z[1:-1, 1:-1] == 1)
        Z[...] = 0
        Z[1:-1, 1:-1][birth | survive] = 1
    return Z


def setup(n, steps):
    Z = np.random.default_rng(33).integers(0, 2, (n, n))
    Z[0] = Z[-1] = Z[:, 0] = Z[:, -1] = 0
    return Z, steps
