"""Sorting moves values between lanes.

Hazards: 1.13
"""

import numpy as np


def arrange(size: int):
    A = (np.arange(size) * 7 % 5) * 1.0
    m = A > 1
    A[m] = np.sort(A[m])
    return A


def cases():
    for size in (0, 1, 9):
        yield "arrange", (size,)
