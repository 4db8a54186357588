"""np.asarray of a list gives the dtype of what is in it."""

import numpy as np


def total(values: list):
    x = np.asarray(values)
    return x[x > 2].sum()


def cases():
    yield "total", ([1, 2, 3],)
    yield "total", ([1.5, 2.5],)
