"""A selection of a mask is a mask of another length."""

import numpy as np


def cut(size: int):
    x = np.linspace(0, 1, size)
    m = x > -1
    x[m[m]] = 2.0
    return x


def cases():
    yield "cut", (4,)
