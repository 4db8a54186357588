"""Rows that a mask picks: only the elements of an array of the mask's own shape are followed."""

import numpy as np


def weighed(n: int):
    table = np.array([[1.0, 2.0], [3.0, 4.0]])
    v = np.array([1.0, -3.0])
    out = np.zeros(n)
    for i in range(1, n):
        v = 0.9 * v + np.array([0.1, out[i - 1]])
        out[i] = table[v > 0].sum()
    return out


def cases():
    yield "weighed", (5,)
