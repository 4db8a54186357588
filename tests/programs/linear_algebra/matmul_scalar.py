"""Matrix product with a Python loop over every index, as it is taught first."""

import numpy as np

ENTRY = "matmul"
SIZES = {"bench": (90, 100, 80), "small": (7, 8, 6)}


def matmul(A, B):
    n, m = A.shape
    p = B.shape[1]
    C = np.zeros((n, p))
    for i in range(n):
        for j in range(p):
            for k in range(m):
                C[i, j] += A[i, k] * B[k, j]
    return C


def setup(n, m, p):
    rng = np.random.default_rng(16)
    return rng.random((n, m)), rng.random((m, p))
