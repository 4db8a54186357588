"""np.asarray of a list gives the dtype of what is in it.

Hazards: 1.3
"""

import numpy as np


def cut(values: list):
    x = np.asarray(values)
    x[x > 2] = 0.5
    return x


def cases():
    yield "cut", ([1, 2, 3],)
    yield "cut", ([1.0, 2.0, 3.0],)
    yield "cut", ([],)
