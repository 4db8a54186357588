"""nan has no integer: NumPy raises even for an empty mask, a cast would store the smallest integer.

Hazards: 1.14a
"""

import numpy as np


def invalidate(size: int):
    A = np.arange(size)
    A[A > 2] = float("nan")
    return A


def cases():
    yield "invalidate", (9,), ValueError
    yield "invalidate", (0,), ValueError
