"""A function of the user's may look at all selected lanes.

Hazards: 1.13
"""

import numpy as np


def smooth(v):
    return v - v[:1]


def centre(size: int):
    A = np.arange(size) * 1.0
    m = A > 2
    A[m] = smooth(A[m])
    return A


def cases():
    for size in (0, 1, 4, 9):
        yield "centre", (size,)
