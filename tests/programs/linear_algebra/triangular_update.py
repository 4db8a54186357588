"""Symmetric rank-k update of a lower triangle with a loop over every index; PolyBench's syrk as in C."""

import numpy as np

ENTRY = "syrk"
SIZES = {"bench": (90, 70), "small": (9, 7)}


def syrk(alpha, beta, C, A):
    n, m = A.shape
    for i in range(n):
        for j in range(i + 1):
            C[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                C[i, j] += alpha * A[i, k] * A[j, k]


def setup(n, m):
    rng = np.random.default_rng(15)
    return 1.5, 1.2, rng.random((n, n)), rng.random((n, m))
