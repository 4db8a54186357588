"""A uint8 array of 0 and 1 is an integer index: it stores into lanes 0 and 1.

Hazards: 1.9
"""

import numpy as np


def mark(size: int):
    A = np.zeros(size)
    m = np.ones(size, dtype=np.uint8)
    A[m] = 1.0
    return A


def cases():
    yield "mark", (5,)
    yield "mark", (1,), IndexError
    yield "mark", (0,)
