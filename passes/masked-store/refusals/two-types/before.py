"""B is float64 on one path and float32 on the other."""

import numpy as np


def fill(size: int, single: bool):
    A = np.zeros(size)
    B = np.ones(size)
    if single:
        B = np.ones(size, dtype=np.float32)
    m = A < 1
    A[m] = B[m]
    return A


def cases():
    yield "fill", (4, True)
    yield "fill", (4, False)
