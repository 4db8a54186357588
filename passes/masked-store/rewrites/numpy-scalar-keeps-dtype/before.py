"""A NumPy scalar of a wider type is cast to the target's: float32 stays float32, np.int64(300) wraps in int8.

Hazards: 1.6, 1.14a
"""

import numpy as np


def fill(size: int):
    A = np.linspace(-1, 1, size, dtype=np.float32)
    low = A < 0
    A[low] = np.float64(0.1)
    B = np.zeros(size, dtype=np.int8)
    B[low] = np.int64(300)
    return A, B


def cases():
    for size in (0, 1, 2, 17):
        yield "fill", (size,)
