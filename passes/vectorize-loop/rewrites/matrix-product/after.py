"""Three loops are a matrix product; in place the sums are added."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def product(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64]):
    n, m = A.shape
    p = B.shape[1]
    C = np.zeros((n, p))
    if npr.quiet() and npr.are_arrays(np.float64, 2, A, B) and m <= B.shape[0]:
        with np.errstate(all="ignore"):
            acc = A @ B[:m, :]
            C[...] = acc
    else:
        for i in range(n):
            for j in range(p):
                acc = 0.0
                for k in range(m):
                    acc += A[i, k] * B[k, j]
                C[i, j] = acc
    return C


def update(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64], C: npt.NDArray[np.float64], alpha: float):
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 2, C, A, B)
        and type(alpha) is float
        and npr.apart(C, A, B)
        and C.shape[0] <= A.shape[0]
        and A.shape[1] <= B.shape[0]
        and C.shape[1] <= B.shape[1]
    ):
        with np.errstate(all="ignore"):
            C += alpha * (A[:C.shape[0], :] @ B[:A.shape[1], :C.shape[1]])
    else:
        for i in range(C.shape[0]):
            for j in range(C.shape[1]):
                for k in range(A.shape[1]):
                    C[i, j] += alpha * A[i, k] * B[k, j]
    return C


def cases():
    for n, m, p in ((3, 4, 2), (1, 1, 1), (0, 2, 3), (2, 0, 3), (17, 5, 6)):
        A, B = np.arange(n * m * 1.0).reshape(n, m), np.arange(1.0 * m * p).reshape(m, p) / 2
        yield "product", (A, B)
        yield "update", (A, B, np.ones((n, p)), 0.5)
    A = np.arange(9.0).reshape(3, 3)
    yield "update", (A, np.eye(3), A, 2.0)
    yield "product", (A, A)
    yield "product", (A, np.eye(4))
    yield "product", (A, np.ones((2, 2))), IndexError
