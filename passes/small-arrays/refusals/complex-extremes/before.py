"""The largest of complex numbers, which NumPy takes by their real parts and then by their imaginary ones."""

import numpy as np


def rotated(n: int, m: int):
    x = np.ones((n, m), dtype=np.complex128)
    total = np.zeros(n)
    for i in range(1, n):
        x[i] = 0.5j * x[i - 1] + total[i - 1]
        total[i] = np.abs(np.max(x[i]))
    return x, total


def cases():
    yield "rotated", (5, 3)
