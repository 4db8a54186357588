"""The body reads its own value of n, the loop goes on from the range's.

Hazards: 3.variable-rebound
"""

import numpy as np


def skewed(size: int, trips: int):
    x = np.zeros(size)
    for n in range(trips):
        n = n * 2
        x = x * 0.5 + n
    return x, n


def cases():
    yield "skewed", (3, 4)
