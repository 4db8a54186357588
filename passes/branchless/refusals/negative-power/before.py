"""A NumPy integer to a negative power raises where a Python integer gives a float."""

import numpy as np


@np.vectorize
def inverse(x):
    return np.sign(int(x)) ** -1


def inverses(x):
    return inverse(x)


def cases():
    yield "inverses", (np.linspace(1.0, 3.0, 70),), ValueError
