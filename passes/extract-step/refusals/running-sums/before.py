"""The compiled cumulative sum of int32 wraps at 32 bits: the step runs in NumPy.
"""

import numpy as np


def sums(size: int, trips: int):
    k = np.zeros(size, dtype=np.int64)
    x = np.full(size, 2**30, dtype=np.int32)
    for n in range(trips):
        k = k + np.cumsum(x)
    return k


def cases():
    yield "sums", (9, 4)
