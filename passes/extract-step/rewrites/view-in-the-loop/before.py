"""A view taken before the loop is read in it while the array changes.
"""

import numpy as np


def reflect(size: int, trips: int):
    x = np.linspace(0, 1, size)
    mirror = x[::-1]
    for n in range(trips):
        x += 0.5 * mirror
    return x, mirror


def cases():
    yield "reflect", (4, 9)
