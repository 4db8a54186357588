"""A function of the user's sees the selection as a whole."""

import numpy as np


def weigh(v):
    return v * len(v)


def total(size: int):
    x = np.arange(size)
    return weigh(x[x > 1]).sum()


def cases():
    yield "total", (6,)
    yield "total", (0,)
