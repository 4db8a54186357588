"""A np.ma array keeps a mask beside its values.

Hazards: 1.17
"""

import numpy as np


def roots(size: int, trips: int):
    x = np.ma.masked_less(np.linspace(-1, 1, size), 0)
    for n in range(trips):
        x = np.sqrt(x) * 0.5
    return x


def cases():
    yield "roots", (5, 3)
