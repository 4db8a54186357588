"""Computed in every lane it divides by zero, which np.errstate can turn into an error.

Hazards: 1.neutral
"""

import numpy as np


def ratio(size: int):
    a = np.arange(size) * 1.0
    b = np.arange(size) - 1.0
    m = b != 0
    return (a[m] / b[m]).sum()


def strictly(size: int):
    with np.errstate(all="raise"):
        return ratio(size)


def cases():
    yield "ratio", (6,)
    yield "strictly", (6,)
