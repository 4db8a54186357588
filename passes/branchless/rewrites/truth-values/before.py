"""and, or and not of comparisons; True counts as 1, and nan is neither below nor above.

Hazards: 4.not, 4.and
"""

import math

import numpy as np


@np.vectorize
def inside(x, y):
    return 0 <= x < 2 and not (y > 1 or x * y == 0)


@np.vectorize
def steps(x, y):
    level = (x > 0) + 2.0
    if x > 1 and 1 / (x - 1.5) > y or not y:
        level += 1
    elif (x < -1) | (y < -1):
        level = -level
    return level * (y > 0), y or 4.0


def count(x, y):
    return inside(x, y), *steps(x, y)


def cases():
    row = np.array([-2.0, -0.0, 0.0, 0.5, 1.5, 2.0, np.nan, np.inf, -np.inf, 3.0] * 8)
    yield "count", (row - 0.25, 0.5)
    yield "count", (row, 0.5), ZeroDivisionError
    yield "count", (row + 0.25, row[::-1])
    yield "count", (row[:, None] / 3, np.array([-3.0, 0.0, 1.0, np.nan]))
    yield "count", (np.arange(-40, 40), 3)
    yield "count", (row * 2, 1)
    yield "count", (np.ones(70), -2.0)
