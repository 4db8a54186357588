"""Cholesky's factorisation by rows: each element needs a product of rows that are not done yet."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _cholesky_loop(n, L, A):
    """The loop in `cholesky`."""
    for i in range(n):
        for j in range(i):
            L[i, j] = (A[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
        L[i, i] = np.sqrt(A[i, i] - np.dot(L[i, :i], L[i, :i]))


def cholesky(A: npt.NDArray[np.float64], n: int):
    L = np.zeros((n, n))
    _cholesky_loop(n, L, A)
    return L


def cases():
    rng = np.random.default_rng(1)
    for n in (0, 1, 2, 9):
        B = rng.random((9, 9))
        yield "cholesky", (B @ B.T + np.eye(9), n)
    # No factor, and too few columns.
    yield "cholesky", (-np.eye(4), 4)
    yield "cholesky", (np.ones((4, 3)), 4), IndexError
