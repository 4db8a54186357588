"""Cholesky factorisation by rows with dot products of growing slices; PolyBench's cholesky."""

import numpy as np

ENTRY = "cholesky"
SIZES = {"bench": (400,), "small": (16,)}


def cholesky(A):
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])
    return np.tril(A)


def setup(n):
    B = np.random.default_rng(9).random((n, n))
    return (B @ B.T + n * np.eye(n),)
