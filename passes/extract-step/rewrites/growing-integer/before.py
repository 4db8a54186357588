"""A Python integer grows without bound, np.int64 would wrap.

Hazards: 3.python-integers
"""

import numpy as np


def collatz(size: int, trips: int):
    x = np.linspace(0, 1, size)
    k = 1
    for n in range(trips):
        k = k * 3 + 1
        x = x + 1 / k
    return x, k


def cases():
    yield "collatz", (3, 100)
