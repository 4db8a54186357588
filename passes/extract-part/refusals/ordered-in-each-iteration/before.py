"""The order is found anew in each iteration, by a function that stays in NumPy: the step reads another array then."""

import numpy as np


def ranked(size: int, trips: int):
    u = np.cos(np.arange(size) * 2.0)
    for n in range(trips):
        w = np.sort(u)
        u = u + 0.1 * (w - u)
        u = u - 0.05 * w
    return u


def cases():
    yield "ranked", (5, 4)
