"""A function of the user's may do anything."""

import numpy as np


def noted(value):
    print(end="")
    return value * 2


def advance(n: int, m: int):
    y = np.ones((n, m))
    for j in range(1, m):
        y[:, j] = 0.5 * y[:, j - 1] + noted(0.25)
    return y


def cases():
    yield "advance", (3, 4)
