"""LU factorisation without pivoting, one rank-one update a column, in place (Golub and Van Loan, 3.2.1)."""

import numpy as np

ENTRY = "lu"
SIZES = {"bench": (500,), "small": (15,)}


def lu(A):
    n = A.shape[0]
    for k in range(n - 1):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return A


def setup(n):
    return (np.random.default_rng(13).random((n, n)) + n * np.eye(n),)
