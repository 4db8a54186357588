"""A sum over a selection is one over the whole array in a step, which level exact leaves alone."""

import numpy as np


def history(size: int, trips: int):
    x = np.arange(size)
    total = 0
    for n in range(trips):
        total = x[x > 1].sum()
        x = x - n
    return x, total


def cases():
    for size, trips in ((9, 4), (1, 1), (4, 0)):
        yield "history", (size, trips)
