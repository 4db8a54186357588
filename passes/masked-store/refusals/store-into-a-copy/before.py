"""A[m][0] = 9 writes into a copy: A does not change.

Hazards: 1.16
"""

import numpy as np


def lost(size: int):
    A = np.arange(size)
    m = A > 1
    A[m][0] = 9
    return A


def cases():
    yield "lost", (4,)
    yield "lost", (0,), IndexError
