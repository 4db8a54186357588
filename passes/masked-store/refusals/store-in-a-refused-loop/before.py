"""In a loop that stays as it is, the full form would cost all lanes at every trip.

Hazards: 1.cost
"""

import numpy as np


def count_down(size: int):
    A = np.arange(size)
    m = A > 0
    while m.any():
        A[m] -= 1
        m = A > 0
    return A


def cases():
    for size in (0, 1, 9):
        yield "count_down", (size,)
