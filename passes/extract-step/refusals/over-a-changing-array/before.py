"""The array is read while the loop changes it.

Hazards: 3.changing-array
"""

import numpy as np


def spill(size: int):
    b = np.arange(size) * 1.0
    x = np.zeros(size)
    for v in b:
        b += 1
        x = x * 0.5 + v
    return x, b


def cases():
    for size in (0, 1, 5):
        yield "spill", (size,)
