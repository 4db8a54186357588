"""A median needs the selected values in order.

Hazards: 1.read-escapes
"""

import numpy as np


def middle(size: int):
    x = np.arange(size) * 7 % 5
    return np.median(x[x > 1])


def cases():
    yield "middle", (9,)
