"""The lanes were read with the mask before it was changed.

Hazards: 1.12
"""

import numpy as np


def shifted(size: int):
    A = np.arange(size) * 1.0
    m = A % 2 == 0
    chosen = A[m]
    m[...] = ~m
    A[m] = chosen * 2
    return A


def cases():
    yield "shifted", (6,)
    yield "shifted", (5,), ValueError
