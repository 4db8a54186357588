"""The condition is computed anew at each trip; range(n) is not.

Hazards: 3.frozen-range
"""

import numpy as np


def settle(size: int, tol: float):
    x = np.linspace(1, 2, size)
    change = 1.0
    while np.abs(change) > tol:
        y = 0.5 * (x + 2 / x)
        change = (y - x).max()
        x = y
    return x


def cases():
    yield "settle", (4, 1e-6)
