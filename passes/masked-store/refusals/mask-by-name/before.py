"""Masks that functions of NumPy give of arrays whose types only a call shows."""

import numpy as np


def escaped(z, out):
    m = np.less(np.abs(z), 2.0)
    out[m] = 3
    return out


def between(z, out):
    low, valid = np.greater(z, 0.5), np.isnan(z)
    out[low & ~valid] = 0
    return out


def cases():
    yield "escaped", (np.linspace(-4.0, 4.0, 9), np.zeros(9))
    yield "between", (np.array([0.0, 1.0, np.nan]), np.ones(3))
    yield "between", (np.zeros(0), np.ones(0))
