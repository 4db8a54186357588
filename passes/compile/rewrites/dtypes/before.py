"""Integer, float and complex arrays of each size go in and come out as what they are."""

import numpy as np


def floats(size: int, trips: int):
    a = np.linspace(-1, 1, size, dtype=np.float32)
    b = np.linspace(-1, 1, size)
    for n in range(trips):
        a, b = a * 0.5 + 1, b * 0.25 + a
    return a, b


def integers(size: int, trips: int):
    a = np.arange(size, dtype=np.uint8)
    b = np.arange(size, dtype=np.int32)
    c = np.arange(size, dtype=np.int64)
    d = np.zeros(size, dtype=bool)
    for n in range(trips):
        a = a * 3 + 1
        b = b * 5 - a
        c = c * 7 + b
        d = d ^ (c > 100)
    return a, b, c, d


def cases():
    for trips in (203, 9, 8, 1, 0):
        yield "floats", (9, trips)
        yield "integers", (9, trips)
    yield "floats", (0, 9)
    yield "integers", (1, 9)
