"""NumPy's LAPACK raises where a matrix has no inverse."""

import numpy as np


def invert(size: int, trips: int):
    A = np.eye(size) * 3 + 1
    for n in range(trips):
        A = np.linalg.inv(A) * 0.5
    return A


def cases():
    yield "invert", (3, 3)
