"""Each trip's array is shorter than the one before."""

import numpy as np


def differences(size: int, trips: int):
    x = np.arange(size) ** 2 * 1.0
    for n in range(trips):
        x = x[1:] - x[:-1]
    return x


def cases():
    yield "differences", (9, 3)
    yield "differences", (2, 1)
