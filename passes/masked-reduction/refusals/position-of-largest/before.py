"""argmax counts within the selected lanes.

Hazards: 1.read-argmax
"""

import numpy as np


def best(size: int):
    x = np.arange(size) * 7 % 5
    m = x > 1
    return x[m].argmax()


def cases():
    yield "best", (9,)
    yield "best", (0,), ValueError
