"""The caller sees the array between two trips.

Hazards: 3.yield
"""

import numpy as np


def stages(size: int, trips: int):
    x = np.linspace(1, 2, size)
    for n in range(trips):
        x *= 0.5
        yield x


def sums(size: int, trips: int):
    return [float(x.sum()) for x in stages(size, trips)]


def cases():
    yield "sums", (4, 9)
