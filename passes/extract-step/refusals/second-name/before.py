"""y is another name of x: y += 1 changes both.
"""

import numpy as np


def twice(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for n in range(trips):
        y = x
        y += 1
        x *= 0.5
    return x, y


def cases():
    yield "twice", (3, 9)
