"""A mask beside another index selects in one column.

Hazards: 1.16
"""

import numpy as np


def column(size: int, j: int):
    A = np.zeros((size, size))
    m = np.arange(size) > 1
    A[m, j] = 1.0
    return A


def cases():
    yield "column", (4, 2)
    yield "column", (1, 0)
    yield "column", (4, 9), IndexError
