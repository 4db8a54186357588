"""An element that is given a name keeps its value when the array changes: torch would give a view of it."""

import numpy as np


def exchange(trips: int):
    x = np.arange(1.0, 5.0)
    for n in range(trips):
        first, last = x[0], x[-1]
        x[0] = last
        x[-1] = first
        x[1] = first + n
    return x


def turn(trips: int):
    z = np.arange(1.0, 4.0) * (1 + 2j)
    for n in range(trips):
        a, b = z[0], z[-1].real
        z[0] = b
        z[-1] = a * 1j
    return z


def cases():
    for trips in (9, 2, 1, 0):
        yield "exchange", (trips,)
        yield "turn", (trips,)
