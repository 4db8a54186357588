"""A mask of one row on three rows is an IndexError.

Hazards: 1.8
"""

import numpy as np


def total():
    A = np.ones((3, 3))
    m = np.ones((1, 3), dtype=bool)
    return A[m].sum()


def cases():
    yield "total", (), IndexError
