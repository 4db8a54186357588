"""np is not NumPy here."""

import numpy


class Wrapper:
    def sum(self, values):
        return len(values)


def total(size: int):
    np = Wrapper()
    x = numpy.arange(size)
    return np.sum(x[x > 1])


def cases():
    yield "total", (5,)
