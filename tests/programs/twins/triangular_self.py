"""A triangular update that multiplies by the triangle that it is updating."""

import numpy as np

TWIN_OF = "triangular_update"
ENTRY = "update"
SIZES = {"small": (8,)}


def update(alpha, C, A):
    n = C.shape[0]
    for i in range(n):
        for j in range(i + 1):
            for k in range(n):
                C[i, j] += alpha * A[i, k] * C[j, k]


def setup(n):
    rng = np.random.default_rng(47)
    return 0.1, rng.random((n, n)), rng.random((n, n))
