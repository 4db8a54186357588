"""Modified Gram-Schmidt orthogonalisation; PolyBench's gramschmidt in array code."""

import numpy as np

ENTRY = "gram_schmidt"
SIZES = {"bench": (600, 300), "small": (20, 8)}


def gram_schmidt(A):
    m, n = A.shape
    Q = np.zeros_like(A)
    R = np.zeros((n, n), dtype=A.dtype)
    for k in range(n):
        R[k, k] = np.sqrt(np.dot(A[:, k], A[:, k]))
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, n):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


def setup(m, n):
    return (np.random.default_rng(14).random((m, n)),)
