"""Numba's complex arithmetic rounds in another way than NumPy's."""

import numpy as np


def rotate(n: int, m: int):
    z = np.ones((n, m), dtype=np.complex128)
    for j in range(1, m):
        z[:, j] = z[:, j - 1] * 0.5 + 1.0
    return z


def cases():
    yield "rotate", (3, 4)
