"""The range was made before the first trip: binding its end inside changes nothing.

Hazards: 3.frozen-range
"""

import numpy as np


def frozen(size: int, trips: int):
    x = np.zeros(size)
    for n in range(trips):
        trips = 3
        x = x + n
    return x, trips


def cases():
    yield "frozen", (3, 9)
    yield "frozen", (3, 0)
