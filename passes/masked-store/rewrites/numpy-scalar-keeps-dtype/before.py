"""A NumPy scalar of a wider type is cast to the target's: float32 stays float32, np.int64(300) wraps in int8.

Hazards: 1.6, 1.14a
"""

import numpy as np


def fill(size: int):
    A = np.linspace(-1, 1, size, dtype=np.float32)
    low = A < 0
    tenth, many = np.float64(0.1), np.int64(300)
    A[low] = tenth
    B = np.zeros(size, dtype=np.int8)
    B[A < 0] = many
    return A, B


def cases():
    for size in (0, 1, 2, 17):
        yield "fill", (size,)
