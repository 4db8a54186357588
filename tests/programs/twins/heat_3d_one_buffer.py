"""The heat equation called with one array for both buffers."""

import numpy as np

TWIN_OF = "heat_3d"
ENTRY = "heat"
SIZES = {"small": (7, 4)}


def heat(A, B, steps):
    for t in range(steps):
        B[1:-1, 1:-1, 1:-1] = A[1:-1, 1:-1, 1:-1] + 0.125 * (
            A[2:, 1:-1, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[:-2, 1:-1, 1:-1]
        )
        A[1:-1, 1:-1, 1:-1] = B[1:-1, 1:-1, 1:-1] + 0.125 * (
            B[1:-1, 2:, 1:-1] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[1:-1, :-2, 1:-1]
        )


def setup(n, steps):
    A = np.random.default_rng(31).random((n, n, n))
    return A, A, steps
