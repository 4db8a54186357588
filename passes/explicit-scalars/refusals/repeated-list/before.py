"""A NumPy integer times a list repeats the list; an array of integers would be multiplied.

Hazards: 6.repeated-list
"""

import numpy as np


def repeated(x: float):
    k = np.int64(3)
    return k * [1, 2]


def cases():
    yield "repeated", (1.0,)
