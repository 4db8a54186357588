"""One value goes into the lanes of two arrays: Python evaluates it once, and stores from left to right."""

import numpy as np


def reset(count: int):
    a, b = np.arange(float(count)), np.ones(count)
    m = a > b
    a[m] = b[m] = 0.0
    few = a < b
    a[few], b[few] = 1.0, 2.0
    return a, b


def cases():
    yield "reset", (5,)
    yield "reset", (0,)
