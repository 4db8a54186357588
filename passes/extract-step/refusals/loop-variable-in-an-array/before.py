"""The loop variable is an element of an array.

Hazards: 3.variable-rebound
"""

import numpy as np


def odd(size: int, trips: int):
    k = np.zeros(size, dtype=np.int64)
    x = np.zeros(size)
    for k[0] in range(trips):
        x = x * 0.5 + k
    return x, k


def cases():
    yield "odd", (3, 4)
