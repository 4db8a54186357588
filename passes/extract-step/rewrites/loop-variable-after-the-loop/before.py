"""n after the loop is what it was: the last value of the range, or unbound without trips; early stops do not show.

Hazards: 3.variable-after, 3.zero-trips, 3.idempotent
"""

import numpy as np


def count(size: int, trips: int):
    x = np.linspace(1, 100, size)
    for n in range(trips):
        x[x > 1] = x[x > 1] / 2
    return x, n


def preset(size: int, trips: int):
    n = -1
    x = np.linspace(1, 100, size)
    for n in range(trips):
        x = x * 0.5 + n
    return x, n


def after_and_used(size: int, trips: int):
    x = np.ones(size)
    n = 0
    for n in range(trips):
        x = x * 0.5
    x = x + n
    return x, n + 1


def cases():
    for trips in (203, 9, 8, 7, 1):
        yield "count", (9, trips)
    yield "count", (9, 0), UnboundLocalError
    yield "count", (9, np.int64(12))
    yield "count", (0, 12)
    for trips in (203, 9, 8, 7, 1, 0, -4):
        yield "preset", (9, trips)
        yield "after_and_used", (9, trips)
    yield "preset", (9, np.int32(12))
