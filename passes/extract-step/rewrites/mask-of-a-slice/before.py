"""The mask and what it selects from are slices that cut as much off: they have one shape whatever the size."""

import numpy as np


def settle(size: int, trips: int):
    x = np.linspace(-1.0, 1.0, size)
    for n in range(trips):
        inner = 1.5 * x[1:-1]
        m = x[2:] < 0.5
        inner[m] = 0.25
        x[1:-1] = inner
    return x


def cases():
    yield "settle", (9, 3)
    yield "settle", (1, 3)
