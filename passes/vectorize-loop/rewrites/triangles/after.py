"""Ranges that depend on the loop around them: a triangle of whole arrays is stored, or slices grow."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def syrk(A: npt.NDArray[np.float64], C: npt.NDArray[np.float64], alpha: float, beta: float):
    n, m = A.shape
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, C, A)
        and type(beta) is float
        and type(alpha) is float
        and npr.apart(C, A)
        and n <= C.shape[0]
        and n <= C.shape[1]
    ):
        with np.errstate(all="ignore"):
            mask = np.arange(n) <= np.arange(n)[:, None]
            C[:n, :n] = np.where(mask, C[:n, :n] * beta, C[:n, :n])
            C[:n, :n] = np.where(mask, C[:n, :n] + alpha * (A @ A.T), C[:n, :n])
    else:
        for i in range(n):
            for j in range(i + 1):
                C[i, j] *= beta
            for k in range(m):
                for j in range(i + 1):
                    C[i, j] += alpha * A[i, k] * A[j, k]
    return C


def syr2k(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], C: npt.NDArray[np.float64], alpha: float):
    n, m = A.shape
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, C, A, B)
        and type(alpha) is float
        and npr.apart(C, A, B)
        and n <= C.shape[0]
        and n <= C.shape[1]
        and n <= B.shape[0]
        and m <= B.shape[1]
    ):
        with np.errstate(all="ignore"):
            mask = np.arange(n) <= np.arange(n)[:, None]
            C[:n, :n] = np.where(mask, C[:n, :n] + (alpha * (B[:n, :m] @ A.T) + alpha * (A @ B[:n, :m].T)), C[:n, :n])
    else:
        for i in range(n):
            for k in range(m):
                for j in range(i + 1):
                    C[i, j] += A[j, k] * alpha * B[i, k] + B[j, k] * alpha * A[i, k]
    return C


def correlation(X: npt.NDArray[np.float64]):
    n, m = X.shape
    C = np.zeros((m, m))
    if npr.quiet() and npr.are_arrays(np.float64, 2, X):
        with np.errstate(all="ignore"):
            C[np.arange(m), np.arange(m)] = 1.0
            mask = np.arange(m)[:, None] + 1 <= np.arange(1, m)
            C[:, 1:] = np.where(mask, C[:, 1:] + X.T @ X[:, 1:], C[:, 1:])
            C[1:, :] = np.where(mask.T, C[:, 1:].T, C[1:, :])
    else:
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
    if npr.quiet() and npr.are_arrays(np.float64, 1, x):
        with np.errstate(all="ignore"):
            mask = np.arange(n - 1) + 1 <= np.arange(n)[:, None]
            mask_2 = x[:, None] > x[:-1]
            d[:, :-1] = np.where(mask_2 & mask, x[:, None] - x[:-1], d[:, :-1])
            mask_3 = ~mask_2
            d[:, :-1] = np.where(mask_3 & mask, 1.0 / (x[:-1] - x[:, None]), d[:, :-1])
    else:
        for i in range(n):
            for j in range(i):
                if x[i] > x[j]:
                    d[i, j] = x[i] - x[j]
                else:
                    d[i, j] = 1.0 / (x[j] - x[i])
    return d


def trmm(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], alpha: float):
    m, n = B.shape
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, B, A)
        and type(alpha) is float
        and npr.apart(B, A)
        and m <= A.shape[0]
        and m <= A.shape[1]
    ):
        with np.errstate(all="ignore"):
            for i in range(m):
                B[i, :] += B[i + 1:, :].T @ A[i + 1:m, i]
                B[i, :] = alpha * B[i, :]
    else:
        for i in range(m):
            for j in range(n):
                for k in range(i + 1, m):
                    B[i, j] += A[k, i] * B[k, j]
                B[i, j] = alpha * B[i, j]
    return B


def eliminate(A: npt.NDArray[np.float64]):
    n = A.shape[0]
    if npr.quiet() and npr.are_arrays(np.float64, 2, A) and npr.apart(A) and n <= A.shape[1]:
        with np.errstate(all="ignore"):
            for k in range(n):
                f = A[k + 1:, k] / A[k, k]
                A[k + 1:, k:n] = A[k + 1:, k:n] - f[:, None] * A[k, k:n]
    else:
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
