"""NumPy adds narrow integers up in int64; the compiled sum is told to."""

import numpy as np


def sums(size: int, trips: int):
    k = np.zeros(size, dtype=np.int64)
    x = np.full(size, 2**30, dtype=np.int32)
    for n in range(trips):
        x = -x
        k = k + np.cumsum(x) - x.cumprod()
    return k


def cases():
    yield "sums", (9, 4)
    yield "sums", (1, 1)
    yield "sums", (3, 0)
