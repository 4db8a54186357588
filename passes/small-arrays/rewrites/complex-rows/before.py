"""A row of complex numbers that is turned and taken from the one before it."""

import numpy as np


def rotated(n: int, m: int):
    x = np.ones((n, m), dtype=np.complex128)
    total = np.zeros(n)
    for i in range(1, n):
        x[i] = 0.5j * x[i - 1] + total[i - 1]
        total[i] = np.abs(x[i]).sum()
    return x, total


def cases():
    yield "rotated", (5, 3)
