"""A cumulative sum runs over the selected lanes.

Hazards: 1.13
"""

import numpy as np


def accumulate(size: int):
    A = np.arange(size)
    m = A % 2 == 1
    A[m] = np.cumsum(A[m])
    return A


def cases():
    for size in (0, 1, 9):
        yield "accumulate", (size,)
