"""Elements that a mask picks: how many they are is known in each trip only."""

import numpy as np


def clipped(n: int, m: int):
    x = np.ones((n, m))
    total = np.zeros(n)
    for i in range(1, n):
        row = 0.5 * x[i - 1] + 1.0
        x[i] = row
        total[i] = row[row > 1.6].sum()
    return x, total


def cases():
    yield "clipped", (5, 3)
