"""continue leaves out the rest of a trip.

Hazards: 3.continue
"""

import numpy as np


def alternate(size: int, trips: int):
    x = np.linspace(1, 2, size)
    for n in range(trips):
        if n % 2:
            continue
        x = x * 0.5
    return x


def turned(size: int):
    y = np.linspace(1, 2, size)
    for n in range(y.size):
        if n == 2:
            continue
        y = np.concatenate([y[1:], y[:1]]) * 0.5
    return y


def cases():
    yield "alternate", (4, 9)
    yield "turned", (5,)
