"""One column after the other, and all that is subtracted from the later ones at once."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def gram_schmidt(m: int, n: int):
    A = np.sin(np.arange(m * n) ** 2.0).reshape(m, n)
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    if npr.quiet() and A.shape[0] >= 1:
        with np.errstate(all="ignore"):
            for k in range(n):
                product = A[:, k] @ A[:, k]
                R[k, k] = np.sqrt(product)
                Q[:, k] = A[:, k] / R[k, k]
                product_2 = A[:, k + 1:].T @ Q[:, k]
                R[k, k + 1:] = product_2
                A[:, k + 1:] -= Q[:, k, None] * R[k, k + 1:]
    else:
        for k in range(n):
            R[k, k] = np.sqrt(np.dot(A[:, k], A[:, k]))
            Q[:, k] = A[:, k] / R[k, k]
            for j in range(k + 1, n):
                R[k, j] = np.dot(Q[:, k], A[:, j])
                A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


def trmm(alpha: float, A: npt.NDArray[np.float64], B: npt.NDArray[np.float64]):
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, A, B)
        and B.shape[0] == A.shape[0]
        and npr.apart(B, A)
        and B.shape[0] <= A.shape[1]
    ):
        with np.errstate(all="ignore"):
            for i in range(B.shape[0]):
                product = B[i + 1:, :].T @ A[i + 1:, i]
                B[i, :] += product
    else:
        for i in range(B.shape[0]):
            for j in range(B.shape[1]):
                B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])
    B *= alpha
    return B


def cases():
    for m, n in ((6, 3), (1, 1), (18, 12), (4, 0), (0, 2)):
        yield "gram_schmidt", (m, n)
        yield "trmm", (0.5, np.cos(np.arange(m * m * 1.0)).reshape(m, m), np.ones((m, n)))
    yield "gram_schmidt", (1, 3)
    yield "trmm", (0.5, np.ones((3, 3)), np.ones((4, 2))), ValueError
    square = np.ones((4, 4))
    yield "trmm", (0.5, square, square)
