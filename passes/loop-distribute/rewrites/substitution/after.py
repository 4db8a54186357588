"""Systems with triangles of a matrix: forward and backward, many right sides, a unit triangle in place."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def forward(L: npt.NDArray[np.float64], b: npt.NDArray[np.float64]):
    n = len(b)
    x = np.zeros(n)
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, L)
        and npr.are_arrays(np.float64, 1, b)
        and n <= L.shape[0]
        and n <= L.shape[1]
    ):
        with np.errstate(all="ignore"):
            npr.forward_substitution(L[:n, :n], b, x)
    else:
        for i in range(n):
            x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]  # row after row
    return x


def backward(n: int, m: int, shift: float):
    U = np.cos(np.arange(n * n) * 1.0).reshape(n, n)
    B = np.sin(np.arange(n * m) * 1.0).reshape(n, m)
    if npr.quiet() and type(n) is int and type(shift) is float:
        with np.errstate(all="ignore"):
            U[np.arange(n), np.arange(n)] = n + shift
    else:
        for i in range(n):
            U[i, i] = n + shift
    X = np.empty((n, m))
    if npr.quiet():
        with np.errstate(all="ignore"):
            npr.backward_substitution(U, B, X)
    else:
        for i in range(n - 1, -1, -1):
            X[i] = B[i]
            X[i] -= np.dot(U[i, i + 1 :], X[i + 1 :])
            X[i] /= U[i, i]
    return X


def unit(L: npt.NDArray[np.float32], x: npt.NDArray[np.float32]):
    if (
        npr.quiet()
        and npr.are_arrays(np.float32, 2, L)
        and npr.are_arrays(np.float32, 1, x)
        and npr.apart(x, L)
        and x.shape[0] <= L.shape[0]
        and x.shape[0] <= L.shape[1]
    ):
        with np.errstate(all="ignore"):
            npr.forward_substitution(L[:x.shape[0], :x.shape[0]], x, x, unit=True, done=1)
    else:
        for i in range(1, len(x)):
            x[i] -= (L[i, :i] * x[:i]).sum()
    return x


def cases():
    rng = np.random.default_rng(4)
    for n in (70, 20, 1, 0):
        L = rng.random((n, n)) + n * np.eye(n)
        yield "forward", (L, rng.random(n))
        yield "unit", (L.astype(np.float32) / (n + 1), rng.random(n).astype(np.float32))
    for n, m in ((70, 3), (30, 1), (2, 4), (0, 2), (3, 0)):
        yield "backward", (n, m, 1.0)
    L = np.triu(np.full((20, 20), np.nan), 1) + np.tril(np.ones((20, 20)))
    yield "forward", (L, np.ones(20))
    L[3, 3] = 0.0
    yield "forward", (L, np.ones(20))
    yield "forward", (np.ones((20, 30)), np.arange(20.0))
    yield "forward", (np.ones((30, 10)), np.arange(20.0)), IndexError
    both = np.ones((21, 20))
    yield "forward", (both[:20], both[20])
    yield "unit", (both[:20].astype(np.float32), np.ones((20, 2), np.float32)[:, 0])
