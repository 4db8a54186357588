"""Forward substitution and Cholesky's factor, index by index: the inner ranges end where the outer one stands."""

import math

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _forward_loop(n, L, x, b):
    """The loop in `forward`."""
    for i in range(n):
        s = 0.0
        for j in range(i):
            s += L[i, j] * x[j]
        x[i] = (b[i] - s) / L[i, i]


def forward(L: npt.NDArray[np.float64], b: npt.NDArray[np.float64]):
    n = len(b)
    x = np.zeros(n)
    _forward_loop(n, L, x, b)
    return x


@npr.native
def _cholesky_loop(n, A, L):
    """The loop in `cholesky`."""
    for j in range(n):
        for i in range(j, n):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            L[i, j] = math.sqrt(s) if i == j else s / L[j, j]


def cholesky(A: npt.NDArray[np.float64]):
    n = A.shape[0]
    L = np.zeros_like(A)
    _cholesky_loop(n, A, L)
    return L


def cases():
    rng = np.random.default_rng(1)
    A = rng.random((6, 6)) + 6 * np.eye(6)
    yield "forward", (np.tril(A), rng.random(6))
    yield "forward", (np.zeros((2, 2)), np.ones(2))
    yield "forward", (np.tril(A), rng.random(8)), IndexError
    yield "cholesky", (A @ A.T,)
    yield "cholesky", (-(A @ A.T),), ValueError
