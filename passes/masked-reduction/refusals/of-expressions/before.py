"""Selections are combined before they are reduced."""

import numpy as np
import numpy.typing as npt


def compare(values: npt.ArrayLike, shift: int):
    a = np.asarray(values, dtype=np.int64)
    b = np.zeros_like(a)
    b[...] = shift
    m = a > b
    return (a[m] - b[m]).sum(), (a[m] * b[m]).max(), (np.abs(a[m]) + 1 > b[m]).all(), (a[m] ** 2).sum()


def cases():
    yield "compare", (np.arange(-5, 9), 2)
    yield "compare", (np.arange(-5, 9), -100)
    yield "compare", (np.array([2**63 - 1, -(2**63)]), 3)
    yield "compare", (np.arange(3), 9), ValueError
