"""The masked store is refused, and a selection has no place in a step.

Hazards: 1.13
"""

import numpy as np


def settle(size: int, trips: int):
    x = np.linspace(-1, 1, size)
    for n in range(trips):
        m = x > 0
        x[m] = np.sort(x[m])[::-1]
        x = x * 0.5
    return x


def cases():
    yield "settle", (6, 3)
