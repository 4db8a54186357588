"""Names first bound inside the loop and read after it; unbound without trips, an older value where there was one.

Hazards: 3.zero-trips, 3.variable-after
"""

import numpy as np


def last_change(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for _ in range(trips):
        change = 0.5 * (1 - x)
        x = x + change
    return x, change


def older_value(size: int, trips: int):
    x = np.linspace(0, 1, size)
    mask = None
    for _ in range(trips):
        mask = x < 0.5
        x = np.where(mask, x + 0.125, x * 0.5)
    return x, mask


def cases():
    for trips in (203, 9, 8, 1):
        yield "last_change", (7, trips)
    yield "last_change", (7, 0), UnboundLocalError
    for trips in (203, 9, 8, 1, 0):
        yield "older_value", (7, trips)
    yield "older_value", (0, 9)
