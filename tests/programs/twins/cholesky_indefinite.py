"""Cholesky factorisation in place of an indefinite matrix: `math.sqrt` raises half way."""

import math

import numpy as np

TWIN_OF = "cholesky_scalar"
ENTRY = "cholesky"
SIZES = {"small": (8,)}


def cholesky(A):
    n = A.shape[0]
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= A[i, k] * A[j, k]
            if i == j:
                A[i, j] = math.sqrt(s)
            else:
                A[i, j] = s / A[j, j]
    return A


def setup(n):
    B = np.random.default_rng(10).random((n, n))
    A = B @ B.T + n * np.eye(n)
    A[5, 5] = -1.0
    return (A,)
