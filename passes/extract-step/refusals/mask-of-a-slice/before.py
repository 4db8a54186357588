"""The mask selects rows of what is made of a slice: nothing says that they are as many."""

import numpy as np


def settle(size: int, trips: int):
    x = np.linspace(-1.0, 1.0, 3 * size).reshape(size, 3)
    for n in range(trips):
        inner = 1.5 * x[::2]
        m = x[1::2, 0] < 0.5
        inner[m] = 0.25
        x[::2] = inner
    return x


def cases():
    yield "settle", (10, 3)
    yield "settle", (2, 3)
