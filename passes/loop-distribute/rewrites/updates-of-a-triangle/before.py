"""Rank-one updates of the rows of a triangle: the product of the whole matrices, stored where the triangle is."""

import numpy as np
import numpy.typing as npt


def syrk(alpha: float, beta: float, C: npt.NDArray[np.float64], A: npt.NDArray[np.float64]):
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += alpha * A[i, k] * A[: i + 1, k]
    return C


def syr2k(alpha: float, C: npt.NDArray[np.float64], A: npt.NDArray[np.float64], B: npt.NDArray[np.float64]):
    n, m = A.shape
    for i in range(n):
        for k in range(m):
            C[i, : i + 1] += A[: i + 1, k] * alpha * B[i, k] + B[: i + 1, k] * alpha * A[i, k]
    return C


def grams(C: npt.NDArray[np.int64], A: npt.NDArray[np.int64]):
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
