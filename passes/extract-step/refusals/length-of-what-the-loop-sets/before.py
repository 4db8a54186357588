"""The test reads the length of an array that each iteration sets: a generator has the array of the first one.

Hazards: 3.python-integers
"""

import numpy as np


def halved(size: int, trips: int):
    y = np.linspace(0, 1, size)
    k = 0
    while k < len(y) and k < trips:
        y = y * 0.5
        k += 1
    return y, k


def cases():
    yield "halved", (3, 5)
    yield "halved", (5, 3)
