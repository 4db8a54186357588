"""The mask and what it selects from are slices that cut as much off: they have one shape whatever the size."""

import numpy as np


def settle(size: int, trips: int):
    z = np.exp(1j * np.linspace(0.0, 3.0, size))
    for n in range(trips):
        inner = 1.5 * z[1:-1]
        m = np.abs(z[1:-1]) < 2
        inner[m] = inner[m] ** 2
        z[1:-1] = inner
    return z


def cases():
    yield "settle", (9, 3)
    yield "settle", (1, 3)
