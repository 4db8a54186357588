"""Start, stop and step; negative steps; a range that is empty; ends from arrays and NumPy integers.

Hazards: 3.negative-step, 3.zero-trips, 3.numpy-integer
"""

import numpy as np


def swing(size: int, start: int, stop: int, step: int):
    x = np.zeros(size)
    for n in range(start, stop, step):
        x = x * 0.5 + n
    return x


def downwards(size: int, start: int):
    x = np.zeros(size, dtype=np.int64)
    for n in range(start, -1, -1):
        x[...] = x * 3 + n
    return x, n


def as_often_as_long(size: int):
    x = np.zeros(size)
    for n in range(1, len(x)):
        x = x + n
    for n in range(x.size):
        x = x * 0.5
    for n in range(x.shape[0] // 2):
        x -= 1
    return x


def cases():
    for ends in ((0, 10, 1), (0, 10, 3), (10, 0, -1), (10, 0, -3), (5, 5, 1), (5, 0, 1), (0, 5, -1), (-7, 9, 2)):
        yield "swing", (4, *ends)
    yield "swing", (4, np.int64(0), np.int8(100), np.uint8(7))
    yield "swing", (4, 2**62, 2**62 + 20, 1)
    yield "swing", (4, 0, 10, 0), ValueError
    yield "swing", (4, 0, 1.5, 1), TypeError
    for start in (20, 8, 7, 0):
        yield "downwards", (3, start)
    for size in (0, 1, 2, 9, 17):
        yield "as_often_as_long", (size,)
