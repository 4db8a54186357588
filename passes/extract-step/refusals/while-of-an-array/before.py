"""The test reads the array itself, which only an iteration knows.

Hazards: 3.frozen-range
"""

import numpy as np


def settle(size: int, least: float):
    x = np.linspace(1, 2, size)
    trips = 0
    while x.max() > least:
        x = x * 0.5
        trips += 1
    return x, trips


def cases():
    yield "settle", (4, 0.1)
    yield "settle", (4, 9.0)
