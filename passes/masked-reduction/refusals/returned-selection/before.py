"""The length of what is returned depends on the data.

Hazards: 1.read-escapes
"""

import numpy as np


def positive(size: int):
    x = np.arange(size) * 7 % 5
    return x[x > 1]


def cases():
    yield "positive", (9,)
    yield "positive", (0,)
