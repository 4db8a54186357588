"""A matrix product accumulated into its own left factor."""

import numpy as np

TWIN_OF = "matmul_scalar"
ENTRY = "matmul"
SIZES = {"small": (7,)}


def matmul(A, B):
    n = A.shape[0]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                A[i, j] += A[i, k] * B[k, j]
    return A


def setup(n):
    rng = np.random.default_rng(45)
    return rng.random((n, n)), rng.random((n, n)) / n
