"""np is not NumPy here, and the whole-array form needs a name that is."""

import numpy as np
from numpy import arange


class Wrapper:
    def where(self, condition, x, y):
        return x


def total(size: int):
    np = Wrapper()
    x = arange(size)
    return np.where(x > 1, x[x > 1].sum(), 0)


def cases():
    yield "total", (5,)
