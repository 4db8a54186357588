"""Selections are combined before they are reduced."""

import numpy as np
import numpy.typing as npt


def compare(values: npt.ArrayLike, shift: int):
    a = np.asarray(values, dtype=np.int64)
    b = np.zeros_like(a)
    b[...] = shift
    m, n, k = a > b, b < a, ~(a <= b)
    return (a[m] - b[m]).sum(), (a[n] * b[n]).max(), (np.abs(a[k]) + 1 > b[k]).all()


def cases():
    yield "compare", (np.arange(-5, 9), 2)
    yield "compare", (np.arange(-5, 9), -100)
    yield "compare", (np.array([2**63 - 1, -(2**63)]), 3)
    yield "compare", (np.arange(3), 9), ValueError
