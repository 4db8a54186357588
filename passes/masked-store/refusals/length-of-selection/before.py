"""The number of selected lanes depends on all of them.

Hazards: 1.13
"""

import numpy as np


def number(size: int):
    A = np.arange(size)
    m = A > 2
    A[m] = len(A[m])
    return A


def cases():
    for size in (0, 1, 9):
        yield "number", (size,)
