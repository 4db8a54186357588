"""A mask beside another index selects in one column.

Hazards: 1.16
"""

import numpy as np


def column(size: int, j: int):
    A = np.arange(size * size).reshape(size, size)
    m = np.arange(size) > 1
    return A[m, j].sum()


def cases():
    yield "column", (4, 2)
