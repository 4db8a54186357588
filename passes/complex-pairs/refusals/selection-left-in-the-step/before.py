"""The mask selects from a slice: nothing says that both have one shape, and the selection stays in the step."""

import numpy as np


def settle(size: int, trips: int):
    z = np.exp(1j * np.linspace(0.0, 3.0, size))
    for n in range(trips):
        inner = 1.5 * z[::2]
        m = np.abs(z[::2]) < 2
        inner[m] = inner[m] ** 2
        z[::2] = inner
    return z


def cases():
    yield "settle", (9, 3)
    yield "settle", (1, 3)
