"""Ranges that depend on the loop around them: its slices grow."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def syrk(A: npt.NDArray[np.float64], C: npt.NDArray[np.float64], alpha: float, beta: float):
    n, m = A.shape
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, C, A)
        and npr.apart(C, A)
        and n <= C.shape[0]
        and n <= C.shape[1]
    ):
        for i in range(n):
            C[i, :i + 1] *= beta
            C[i, :i + 1] += alpha * (A[:i + 1, :] @ A[i, :])
    else:
        for i in range(n):
            for j in range(i + 1):
                C[i, j] *= beta
            for k in range(m):
                for j in range(i + 1):
                    C[i, j] += alpha * A[i, k] * A[j, k]
    return C


def trmm(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], alpha: float):
    m, n = B.shape
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, B, A)
        and npr.apart(B, A)
        and m <= A.shape[0]
        and m <= A.shape[1]
    ):
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
        yield "trmm", (A, A + 1, 0.5)
        yield "trmm", (A, A, 0.5)
        yield "eliminate", (A.copy(),)
        yield "eliminate", (np.zeros((n, n)),)
