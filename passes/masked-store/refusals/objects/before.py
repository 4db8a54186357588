"""Arrays of objects call each object's own methods.

Hazards: 1.17
"""

import numpy as np


def cut(size: int):
    A = np.arange(size).astype(object)
    A[A > 2] = 0
    return A


def cases():
    yield "cut", (6,)
