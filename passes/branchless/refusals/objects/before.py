"""np.frompyfunc gives arrays of Python objects."""

import numpy as np


def half(x):
    return x / 2 if x > 0 else 0


def halves(x):
    f = np.frompyfunc(half, 1, 1)
    return f(x)


def cases():
    yield "halves", (np.arange(70),)
