"""The list keeps the array that the first trip stores into; the later trips store into new ones.
"""

import numpy as np


def drift(size: int, trips: int):
    x = np.zeros(size)
    kept = [x]
    for n in range(trips):
        x += 1
        x = x * 0.5
    return x, kept[0]


def cases():
    for trips in (0, 1, 4):
        yield "drift", (6, trips)
