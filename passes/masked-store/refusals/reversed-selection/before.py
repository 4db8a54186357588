"""The selected lanes are stored in the other order.

Hazards: 1.13
"""

import numpy as np


def mirror(size: int):
    A = np.arange(size) * 1.0
    m = A > 2
    A[m] = A[m][::-1]
    return A


def cases():
    for size in (0, 1, 9):
        yield "mirror", (size,)
