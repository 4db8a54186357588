"""A comprehension is a scope of its own.

Hazards: 3.closures
"""

import numpy as np


def series(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for n in range(trips):
        x = x * 0.5 + sum([k * n for k in range(3)])
    return x


def cases():
    yield "series", (3, 9)
