"""The mask reads an array that changes outside of it: lanes come back, so that the loop must not stop early.

Hazards: 3.idempotent
"""

import numpy as np


def tide(size: int, trips: int):
    level = np.linspace(-1, 1, size)
    dry = np.zeros(size, dtype=np.int64)
    phase = np.linspace(0, 3, size)
    for n in range(trips):
        m = level > 0.5
        dry[m] = n
        level[m] = level[m] - 1.0
        phase = phase + 0.25
        level += 0.1 * phase
    return level, dry, phase


def awake(size: int, trips: int):
    x = np.zeros(size)
    hits = np.zeros(size, dtype=np.int64)
    for n in range(trips):
        m = x > 3
        hits[m] += 1
        x += 0.5
    return x, hits


def from_the_counter(size: int, trips: int):
    x = np.arange(size)
    for n in range(trips):
        m = x < n
        x[m] = x[m] + 3
    return x


def cases():
    for trips in (203, 40, 16, 9, 8, 7, 1, 0):
        yield "tide", (21, trips)
        yield "awake", (5, trips)
        yield "from_the_counter", (30, trips)
    yield "tide", (0, 9)
    yield "awake", (30_000, 20)
    yield "from_the_counter", (30_000, 20)
