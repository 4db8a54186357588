"""Numbers under conditions: a rate that halves, iterations that are left out, an early end by the time."""

import numpy as np


def descend(size: int, trips: int, rate: float, last: int):
    w = np.linspace(-1, 1, size)
    goal = np.cos(w)
    skipped = 0
    for k in range(trips):
        if k > last:
            break
        if k % 4 == 3:
            rate *= 0.5
            skipped += 1
            continue
        w = w - rate * (w - goal)
    return w, rate, skipped


def cases():
    yield "descend", (5, 13, 0.5, 99)
    yield "descend", (5, 13, 0.5, 6)
    yield "descend", (5, 13, 0.5, -1)
    yield "descend", (5, 0, 0.5, 6)
