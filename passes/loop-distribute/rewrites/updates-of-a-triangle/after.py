"""Rank-one updates of the rows of a triangle: the product of the whole matrices, stored where the triangle is."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def syrk(alpha: float, beta: float, C: npt.NDArray[np.float64], A: npt.NDArray[np.float64]):
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, C, A)
        and type(beta) is float
        and type(alpha) is float
        and npr.apart(C, A)
        and A.shape[0] <= C.shape[1]
        and A.shape[0] <= C.shape[0]
    ):
        with np.errstate(all="ignore"):
            mask = np.arange(A.shape[0]) <= np.arange(A.shape[0])[:, None]
            C[:A.shape[0], :A.shape[0]] = np.where(mask, C[:A.shape[0], :A.shape[0]] * beta, C[:A.shape[0], :A.shape[0]])
            C[:A.shape[0], :A.shape[0]] = np.where(mask, C[:A.shape[0], :A.shape[0]] + alpha * (A @ A.T), C[:A.shape[0], :A.shape[0]])
    else:
        for i in range(A.shape[0]):
            C[i, : i + 1] *= beta
            for k in range(A.shape[1]):
                C[i, : i + 1] += alpha * A[i, k] * A[: i + 1, k]
    return C


def syr2k(alpha: float, C: npt.NDArray[np.float64], A: npt.NDArray[np.float64], B: npt.NDArray[np.float64]):
    n, m = A.shape
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, C, A, B)
        and type(alpha) is float
        and npr.apart(C, A, B)
        and n <= C.shape[1]
        and n <= B.shape[0]
        and n <= C.shape[0]
        and m <= B.shape[1]
    ):
        with np.errstate(all="ignore"):
            mask = np.arange(n) <= np.arange(n)[:, None]
            C[:n, :n] = np.where(mask, C[:n, :n] + (alpha * (B[:n, :m] @ A.T) + alpha * (A @ B[:n, :m].T)), C[:n, :n])
    else:
        for i in range(n):
            for k in range(m):
                C[i, : i + 1] += A[: i + 1, k] * alpha * B[i, k] + B[: i + 1, k] * alpha * A[i, k]
    return C


def grams(C: npt.NDArray[np.int64], A: npt.NDArray[np.int64]):
    if (
        npr.quiet()
        and npr.are_arrays(np.int64, 2, C, A)
        and C.shape[1] == A.shape[0]
        and C.shape[1] == C.shape[0]
        and npr.apart(C, A)
    ):
        with np.errstate(all="ignore"):
            C += A @ A.T
    else:
        for k in range(A.shape[1]):
            C[:, :] += np.outer(A[:, k], A[:, k])
    return C


def cases():
    for n, m in ((4, 3), (1, 1), (18, 5), (0, 2), (3, 0)):
        A = np.sin(np.arange(n * m * 1.0)).reshape(n, m)
        yield "syrk", (1.5, 0.5, np.ones((n, n)), A)
        yield "syrk", (1.5, 0.5, np.ones((n + 2, n + 1)), A)
        yield "syr2k", (1.5, np.ones((n, n)), A, A + 1)
        yield "grams", (np.ones((n, n), np.int64), np.arange(n * m).reshape(n, m))
    square = np.cos(np.arange(25.0)).reshape(5, 5)
    yield "syrk", (1.5, 0.5, square, square)
    yield "syrk", (1.5, 0.5, np.ones((3, 3)), square), IndexError
    yield "syrk", (1.5, 0.5, np.ones((5, 5)), np.where(square > 0.9, np.nan, np.inf))
