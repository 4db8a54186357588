"""A recursive filter along the rows of a matrix, one column at a time."""

import numpy as np


def smooth(n: int, m: int, b: float, c: float):
    x = np.sin(np.arange(n * m, dtype=np.float64)).reshape(n, m)
    y = np.zeros((n, m))
    y[:, 0] = x[:, 0]
    for j in range(2, m):
        y[:, j] = x[:, j] - 0.5 * x[:, j - 1]  # the input
        y[:, j] += b * y[:, j - 1] + c * y[:, j - 2]
    return y


def cases():
    for n, m in ((5, 40), (1, 3), (4, 2), (3, 1), (0, 5)):
        yield "smooth", (n, m, 1.1, -0.4)
    yield "smooth", (4, 30, 1.1, np.inf)
    yield "smooth", (4, 0, 1.1, -0.4), IndexError
