"""Each trip's array is longer than the one before."""

import numpy as np


def grow(size: int, trips: int):
    x = np.zeros(size)
    for n in range(trips):
        x = np.append(x, x[:1] + n)
    return x


def cases():
    yield "grow", (2, 3)
