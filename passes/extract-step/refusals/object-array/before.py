"""Arrays of Python integers grow without bound.

Hazards: 3.python-integers
"""

import numpy as np


def factorials(size: int, trips: int):
    x = np.ones(size, dtype=object)
    for n in range(trips):
        x = x * (n + 1)
    return x


def cases():
    yield "factorials", (2, 30)
