"""A Python complex into a real array is a TypeError.

Hazards: 2.stores
"""

import numpy as np


def rotate(size: int):
    A = np.arange(size) * 1.0
    A[A > 2] = 1j
    return A


def cases():
    yield "rotate", (6,), TypeError
