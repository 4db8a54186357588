"""Cholesky factorisation as three scalar loops, as numerical textbooks print it (Cholesky-Banachiewicz)."""

import math

import numpy as np

ENTRY = "cholesky"
SIZES = {"bench": (120,), "small": (14,)}


def cholesky(A):
    n = A.shape[0]
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, j] = math.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return L


def setup(n):
    B = np.random.default_rng(10).random((n, n))
    return (B @ B.T + n * np.eye(n),)
