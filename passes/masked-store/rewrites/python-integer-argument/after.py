"""A Python integer that does not fit raises OverflowError in NumPy 2, selected lanes or not.

Hazards: 1.5, 1.14a
"""

import numpy as np


def mark(size: int, low: int, k: int):
    A = np.arange(size, dtype=np.int64)
    A[...] = np.where(A < low, np.int64(k), A)
    return A


def cases():
    yield "mark", (9, 4, 5)
    yield "mark", (9, 4, -(2**63))
    yield "mark", (9, 0, 7)
    yield "mark", (0, 4, 7)
    yield "mark", (9, 4, 2**63), OverflowError
    yield "mark", (9, 0, 2**63), OverflowError
