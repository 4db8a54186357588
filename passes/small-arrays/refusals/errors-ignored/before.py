"""Settings for floating-point errors that hold for a part of each iteration."""

import numpy as np


def decay(n: int, m: int):
    x = np.ones((n, m))
    total = np.zeros(n)
    for i in range(1, n):
        x[i] = 0.5 * x[i - 1]
        total[i] = x[i].sum()
        with np.errstate(divide="ignore"):
            x[i] = x[i] / total[i]
    return x, total


def cases():
    yield "decay", (5, 3)
