"""What is stored is the number that the inner loop ended with."""

import numpy as np


def ends(n: int):
    weights = np.cos(np.arange(n * 1.0))
    rows = np.zeros((n, n))
    last = np.zeros(n)
    for i in range(n):
        for j in range(n):
            t = weights[j] * i
            rows[i, j] = t
        last[i] = t
    return rows, last


def cases():
    yield "ends", (5,)
    yield "ends", (0,)
