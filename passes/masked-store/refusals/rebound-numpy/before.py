"""np is not NumPy here."""

import numpy
import numpy as np


class Wrapper:
    def less(self, a, b):
        return numpy.greater(a, b)


def cut(size: int):
    np = Wrapper()
    A = numpy.zeros(size)
    A[np.less(A, 2)] = 0.0
    return A


def cases():
    yield "cut", (5,)
