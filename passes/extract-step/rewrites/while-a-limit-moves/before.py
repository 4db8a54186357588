"""The limit changes inside the loop.

Hazards: 3.frozen-range
"""

import numpy as np


def stretch(size: int, m: int):
    x = np.zeros(size)
    d = 0
    while d < m:
        x += d
        d += 1
        if d == 3:
            m += 2
    return x


def cases():
    yield "stretch", (4, 5)
