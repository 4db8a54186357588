"""Every number of trips is run exactly: full chunks, then single steps for the rest.

Hazards: 3.remainder, 3.zero-trips
"""

import numpy as np
import numpy.typing as npt


def count(size: int, trips: int):
    k = np.zeros(size, dtype=np.int64)
    for _ in range(trips):
        k = k + 1
    return k


def polynomial(x: npt.NDArray[np.float64], trips: int):
    y = np.zeros_like(x)
    for n in range(trips):
        y = y * x + n
    return y


def cases():
    for trips in (10, *range(26), 203):
        yield "count", (3, trips)
    for trips in (203, 10, 9, 8, 7, 4, 1, 0):
        yield "polynomial", (np.linspace(-1, 1, 9), trips)
