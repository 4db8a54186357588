"""The selection is bound to a name and used twice.

Hazards: 1.read-escapes
"""

import numpy as np


def positive(size: int):
    x = np.arange(size) * 7 % 5
    chosen = x[x > 1]
    return chosen.sum(), chosen


def cases():
    yield "positive", (9,)
    yield "positive", (0,)
