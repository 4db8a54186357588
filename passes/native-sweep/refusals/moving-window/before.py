"""Each row takes other lanes of a series: a window that moves along it."""

import numpy as np


def windows(n: int):
    x = np.sin(np.arange(n + 5, dtype=np.float64))
    y = np.zeros((n, 5))
    for k in range(1, n):
        y[k] = 0.5 * y[k - 1] + x[k : k + 5]
    return y


def cases():
    yield "windows", (6,)
