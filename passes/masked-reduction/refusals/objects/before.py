"""Sums of objects call their own addition."""

import numpy as np


def total(size: int):
    x = np.arange(size).astype(object)
    return x[x > 2].sum()


def cases():
    yield "total", (6,)
