"""Elimination by rows: with two indices an element is read, with one a whole row is read and stored."""

import numpy as np
import numpy.typing as npt


def triangular(A: npt.NDArray[np.float64], b: npt.NDArray[np.float64]):
    n = len(b)
    for i in range(n - 1):
        for j in range(i + 1, n):
            m = A[j][i] / A[i][i]
            A[j] = A[j] - m * A[i]
            b[j] = b[j] - m * b[i]
    return A, b


def cases():
    yield "triangular", (np.array([[10.0, 2.0], [3.0, 4.0], [1.0, 8.0]]), np.array([1.0, 1.0, 2.0]))
    yield "triangular", (np.array([[4.0, 2.0, 1.0], [3.0, 4.0, 1.0], [1.0, 8.0, 5.0]]), np.ones(3))
