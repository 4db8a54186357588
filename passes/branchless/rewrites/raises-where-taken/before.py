"""math.sqrt of a negative number raises where the branch is taken, and nowhere else.

Hazards: 4.square-root, 4.both-arms
"""

import math

import numpy as np


def pressure(depth, top):
    if depth > top:
        return math.sqrt(depth - top) / top
    elif depth == top:
        raise ValueError("on the surface")
    return math.exp(depth) ** 2


def profile(depths, top):
    p = np.vectorize(pressure)
    return p(depths, top)


def cases():
    row = np.linspace(-3.0, 3.0, 90)
    yield "profile", (row, 0.7)
    yield "profile", (row, -0.5)
    yield "profile", (row.reshape(9, 10), np.linspace(0.1, 0.9, 10))
    yield "profile", (row, np.array([[0.2], [1.3]]))
    yield "profile", (row, 0.0), ZeroDivisionError
    yield "profile", (row, 3.0), ValueError
    yield "profile", (np.full(70, 800.0), 900.0), OverflowError
    yield "profile", (row, np.ones((4, 7))), ValueError
    yield "profile", (np.array([np.nan, 1.0] * 50), 0.5)
