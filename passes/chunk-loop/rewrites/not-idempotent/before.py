"""A count outside of the mask goes on when the mask is empty: no trip may be left out.

Hazards: 3.idempotent
"""

import numpy as np


def halving(size: int, trips: int):
    x = np.linspace(0, 50, size)
    waited = np.zeros(size, dtype=np.int64)
    mask = np.zeros(size, dtype=bool)
    for n in range(trips):
        mask = x > 1
        x[mask] = x[mask] * 0.5
        waited[~mask] = n
    return x, waited, mask


def cases():
    for trips in (203, 10, 9, 8, 7, 1, 0):
        yield "halving", (40, trips)
    yield "halving", (30_000, 40)
