"""Each trip's array has the axes of the one before the other way round."""

import numpy as np


def turned(rows: int, columns: int, trips: int):
    x = np.ones((rows, columns))
    for n in range(trips):
        x = np.rot90(x) * 0.5 + 1.0
    return x


def transposed(rows: int, columns: int, trips: int):
    x = np.ones((rows, columns))
    for n in range(trips):
        x = np.exp(-x.T) * 0.5
    return x


def cases():
    yield "turned", (2, 3, 3)
    yield "turned", (3, 3, 2)
    yield "transposed", (2, 3, 3)
