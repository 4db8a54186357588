"""`a` is computed from the `k` of the trip before.

Hazards: 3.python-integers
"""

import numpy as np


def follow(size: int, trips: int):
    x = np.linspace(0, 1, size)
    k = 1
    for n in range(trips):
        a = k * 2
        k = 3
        x = x + a
    return x


def cases():
    yield "follow", (3, 9)
    yield "follow", (3, 0)
