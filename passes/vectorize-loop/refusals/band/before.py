"""A band is a small part of the matrix around it; three elements are no slice worth an operation."""

import numpy as np
import numpy.typing as npt


def shifted_products(A: npt.NDArray[np.float64], B: npt.NDArray[np.float64]):
    n = A.shape[0]
    for i in range(n - 3):
        for j in range(i, i + 3):
            B[i, j] = A[i, j] * A[j, i]
    return B


def cases():
    for n in (4, 20):
        A = np.arange(n * n * 1.0).reshape(n, n)
        yield "shifted_products", (A, np.zeros((n, n)))
