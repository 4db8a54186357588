"""Reading an iterator ahead would take from whoever reads it next.

Hazards: 3.iterator
"""

import numpy as np


def sums(size: int, values):
    x = np.zeros(size)
    for v in values:
        x = x * 0.5 + v
    return x, list(values)


def halves(size: int, count: int):
    return sums(size, iter(range(count)))


def cases():
    yield "halves", (3, 9)
