"""The new column is stored where the statement reads neighbours in the same array: NumPy reads them all first."""

import numpy as np


def blur(n: int, m: int):
    u = np.sin(np.arange(n * m, dtype=np.float64)).reshape(n, m)
    for j in range(1, m):
        u[1:-1, j] = 0.5 * (u[:-2, j] + u[2:, j]) + u[1:-1, j - 1]
    return u


def cases():
    yield "blur", (6, 9)
