"""300 does not fit into uint8: NumPy raises OverflowError, also where nothing is selected.

Hazards: 1.5, 1.14a
"""

import numpy as np


def saturate(size: int):
    A = np.zeros(size, dtype=np.uint8)
    A[A > 2] = 300
    return A


def cases():
    yield "saturate", (3,), OverflowError
    yield "saturate", (0,), OverflowError
