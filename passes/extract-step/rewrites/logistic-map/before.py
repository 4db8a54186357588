"""The logistic map over an array of parameters, with a mask on divergence.

Hazards: 3.zero-trips, 3.remainder
"""

import numpy as np


def logistic(size: int, trips: int, start: float = 0.5):
    r = np.linspace(0.0, 6.0, size)
    x = np.full(size, start)
    last = np.zeros(size, dtype=np.int64)
    for n in range(trips):
        bounded = np.abs(x) < 1e3
        x[bounded] = r[bounded] * x[bounded] * (1 - x[bounded])
        last[bounded] = n
    return x, last


def cases():
    for trips in (10, 203, 17, 16, 15, 9, 8, 7, 4, 2, 1, 0, -3):
        yield "logistic", (31, trips)
    for start in (0.0, -0.0, 1.0, 2.5, 1e3, np.inf, -np.inf, np.nan):
        yield "logistic", (31, 20, start)
    yield "logistic", (1, 20)
    yield "logistic", (0, 20)
    yield "logistic", (30_000, 60)
    yield "logistic", (31, np.int64(20))
    yield "logistic", (31, np.uint8(20))
    yield "logistic", (31, True)
    yield "logistic", (31, 20, np.float64(0.25))
    yield "logistic", (31, 2.0), TypeError
