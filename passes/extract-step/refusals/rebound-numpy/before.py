"""np is not NumPy inside this function."""

import numpy
import numpy as np


class Wrapper:
    def sqrt(self, x):
        return x + 1


def odd(size: int, trips: int):
    np = Wrapper()
    x = numpy.zeros(size)
    for n in range(trips):
        x = np.sqrt(x)
    return x


def even(size: int):
    return np.zeros(size)


def cases():
    yield "odd", (3, 9)
    yield "even", (3,)
