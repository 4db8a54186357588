"""An integer to a negative integer power raises; the mask keeps those lanes out.

Hazards: 1.power
"""

import numpy as np


def powers(size: int):
    e = np.arange(size) - 3
    A = np.zeros(size, dtype=np.int64)
    m = e >= 0
    A[m] = 2 ** e[m]
    return A


def cases():
    yield "powers", (9,)
    yield "powers", (0,)
