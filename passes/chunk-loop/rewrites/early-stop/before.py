"""The mask empties long before the last trip; the counter still ends as it would have.

Hazards: 3.idempotent, 3.variable-after
"""

import numpy as np


def halving(size: int, trips: int):
    x = np.linspace(0, 50, size)
    last = np.full(size, -1, dtype=np.int64)
    for n in range(trips):
        m = x > 1
        x[m] = x[m] * 0.5
        last[m] = n
    return x, last, n


def cases():
    for trips in (203, 10, 9, 8, 7, 1):
        yield "halving", (40, trips)
    yield "halving", (30_000, 100)
    yield "halving", (1, 100)
    yield "halving", (0, 100)
