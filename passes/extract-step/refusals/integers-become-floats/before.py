"""Integers before the first trip, floats after it."""

import numpy as np


def halve(size: int, trips: int):
    x = np.arange(size)
    for n in range(trips):
        x = x * 0.5
    return x


def cases():
    yield "halve", (3, 9)
    yield "halve", (3, 0)
