"""A function that is called with each row may do anything."""

import numpy as np

seen = []


def noted(row):
    seen.append(row)
    return 0.5 * row


def decay(n: int, m: int):
    x = np.ones((n, m))
    total = np.zeros(n)
    for i in range(1, n):
        x[i] = 0.5 * x[i - 1] + noted(x[i - 1])
        total[i] = x[i].sum()
    return x, total


def cases():
    yield "decay", (5, 3)
