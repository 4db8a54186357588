"""A function of strings has no array form."""

import numpy as np


@np.vectorize
def rounded(x):
    return len(str(x)) * x


def cut(x):
    return rounded(x)


def cases():
    yield "cut", (np.linspace(0.0, 1.0, 70),)
