"""A two-dimensional right side is a TypeError even where its shape is the array's.

Hazards: 1.14b
"""

import numpy as np


def overwrite(size: int):
    A = np.zeros((size, size))
    B = np.ones((size, size))
    m = A == 0
    A[m] = B
    return A


def cases():
    yield "overwrite", (3,), TypeError
    yield "overwrite", (1,), TypeError
