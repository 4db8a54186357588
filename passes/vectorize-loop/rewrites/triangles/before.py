"""Ranges that depend on the loop around them: a triangle of whole arrays is stored, or slices grow."""

import numpy as np
import numpy.typing as npt


def syrk(A: npt.NDArray[np.float64], C: npt.NDArray[np.float64], alpha: float, beta: float):
    n, m = A.shape
    for i in range(n):
        for j in range(i + 1):
            C[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                C[i, j] += alpha * A[i, k] * A[j, k]
    return C


def syr2k(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], C: npt.NDArray[np.float64], alpha: float):
    n, m = A.shape
    for i in range(n):
        for k in range(m):
            for j in range(i + 1):
                C[i, j] += A[j, k] * alpha * B[i, k] + B[j, k] * alpha * A[i, k]
    return C


def correlation(X: npt.NDArray[np.float64]):
    n, m = X.shape
    C = np.zeros((m, m))
    for i in range(m):
        C[i, i] = 1.0
        for j in range(i + 1, m):
            for k in range(n):
                C[i, j] += X[k, i] * X[k, j]
            C[j, i] = C[i, j]
    return C


def separations(x: npt.NDArray[np.float64]):
    n = len(x)
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            if x[i] > x[j]:
                d[i, j] = x[i] - x[j]
            else:
                d[i, j] = 1.0 / (x[j] - x[i])
    return d


def trmm(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], alpha: float):
    m, n = B.shape
    for i in range(m):
        for j in range(n):
            for k in range(i + 1, m):
                B[i, j] += A[k, i] * B[k, j]
            B[i, j] = alpha * B[i, j]
    return B


def eliminate(A: npt.NDArray[np.float64]):
    n = A.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            for j in range(k, n):
                A[i, j] = A[i, j] - f * A[k, j]
    return A


def cases():
    for n in (4, 1, 0, 18):
        A = np.sin(np.arange(n * n * 1.0)).reshape(n, n) + n * np.eye(n)
        yield "syrk", (A, np.ones((n, n)), 1.5, 0.5)
        yield "syr2k", (A, A + 1, np.ones((n, n)), 1.5)
        yield "correlation", (A,)
        yield "trmm", (A, A + 1, 0.5)
        yield "trmm", (A, A, 0.5)
        yield "eliminate", (A.copy(),)
        yield "eliminate", (np.zeros((n, n)),)
        yield "syrk", (np.full((n, n), np.inf), np.ones((n, n)), 1.5, 0.5)
        yield "syrk", (A, A, 1.5, 0.5)
    yield "separations", (np.cos(np.arange(20.0)),)
    yield "separations", (np.array([1.0, np.nan, np.inf, 1.0, -np.inf]),)
    yield "separations", (np.zeros(0),)
