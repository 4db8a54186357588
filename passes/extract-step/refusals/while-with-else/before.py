"""The `else` of a `while` runs when its test has failed.

Hazards: 3.break
"""

import numpy as np


def settle(size: int, end: float):
    x = np.linspace(1, 2, size)
    t = 0.0
    while t < end:
        x = x * 0.5
        t += 0.25
    else:
        x = x + 1
    return x, t


def cases():
    yield "settle", (4, 1.0)
    yield "settle", (4, 0.0)
