"""NumPy lines the selected lanes of B up with the columns of A.

Hazards: 1.14
"""

import numpy as np


def spread(size: int):
    A = np.zeros((size, size))
    B = np.arange(size) * 1.0
    m = B >= 0
    A[m] = B[m]
    return A


def cases():
    for size in (0, 1, 2, 3):
        yield "spread", (size,)
