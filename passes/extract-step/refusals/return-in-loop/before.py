"""return leaves the function in the middle of the loop.

Hazards: 3.return
"""

import numpy as np


def first(size: int, trips: int):
    x = np.linspace(1, 2, size)
    for n in range(trips):
        x = x * 0.5
        return x
    return -x


def cases():
    yield "first", (4, 9)
    yield "first", (4, 0)
