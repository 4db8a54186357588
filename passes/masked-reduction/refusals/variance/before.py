"""The variance needs the mean first: it is not one of the reductions that are rewritten.

Hazards: 1.read-mean
"""

import numpy as np


def spread(size: int):
    x = np.arange(size) * 7 % 5
    m = x > 1
    return x[m].var()


def cases():
    yield "spread", (9,)
    yield "spread", (0,)
