"""A loop of a script, whose names functions and comprehensions have for values of their own."""

import numpy as np


def first_above(levels, limit):
    for i in range(len(levels)):
        value = levels[i]
        if value > limit:
            return i, value
    return -1, limit


levels = np.zeros(12)
for n in range(1, 12):
    i = n // 2
    value = levels[i] * 0.5 + 1.0
    levels[n] = value - levels[n - 1]
squares = [i * i for i in range(3)]


def outcome():
    return levels, squares, first_above(levels, 0.4)


def cases():
    yield "outcome", ()
