"""A float literal stored into integers is truncated; a bare where would give floats.

Hazards: 1.3
"""

import numpy as np


def mark(size: int):
    A = np.arange(size, dtype=np.int64)
    A[...] = np.where(A % 3 == 0, 2, A)
    A[...] = np.where(A > 5, -2, A)
    B = np.zeros(size, dtype=np.int16)
    B[...] = np.where(A == 2, 1000, B)
    return A, B


def cases():
    for size in (0, 1, 2, 9, 30):
        yield "mark", (size,)
