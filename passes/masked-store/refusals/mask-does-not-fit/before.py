"""A mask of one row on three rows is an IndexError; a where would broadcast it.

Hazards: 1.8
"""

import numpy as np


def stripe():
    A = np.zeros((3, 3))
    m = np.ones((1, 3), dtype=bool)
    A[m] = 1.0
    return A


def cases():
    yield "stripe", (), IndexError
