"""The outer loop's body holds a loop over rows, one that is refused for itself."""

import numpy as np


def sweep(size: int, trips: int):
    A = np.ones((size, size))
    for n in range(trips):
        A = A * 0.5 + n
        for i in sorted(range(1, size), reverse=True):
            A[i] += A[i - 1]
    return A


def cases():
    yield "sweep", (4, 3)
