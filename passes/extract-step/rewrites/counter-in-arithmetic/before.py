"""The counter is a Python integer: weak beside arrays, and it must not wrap where Python's would not.

Hazards: 3.counter-wraps, 3.box-dtype
"""

import numpy as np


def ages(size: int, trips: int):
    age = np.zeros(size, dtype=np.int8)
    x = np.linspace(0, 50, size, dtype=np.float32)
    for n in range(trips):
        old = x > n
        age[old] = n
    return age


def ramp(size: int, trips: int, dt: float = 0.1):
    x = np.zeros(size, dtype=np.float32)
    for n in range(trips):
        x = x * 0.5 + n * dt
    return x


def decay(size: int, trips: int):
    x = np.ones(size)
    for n in range(trips):
        x = x / (n + 1) + n / 7
    return x


def huge(size: int, trips: int):
    x = np.zeros(size)
    for n in range(trips):
        x = x * 0.5 + 1.0 / (n**30 + 1)
    return x


def cubes(size: int, start: int, trips: int):
    k = np.zeros(size, dtype=np.int64)
    for n in range(start, start + trips):
        k = k + n * n * n
    return k


def cases():
    yield "ages", (60, 100)
    yield "ages", (60, 128)
    yield "ages", (60, 129), OverflowError
    yield "ages", (60, 203), OverflowError
    yield "ages", (0, 203), OverflowError
    for trips in (203, 9, 8, 1, 0):
        yield "ramp", (5, trips)
        yield "decay", (5, trips)
        yield "huge", (5, trips)
        yield "cubes", (5, 0, trips)
    yield "ramp", (5, 9, 1)
    yield "ramp", (5, 9, np.float64(0.1))
    yield "ramp", (5, 9, 1e39)
    yield "cubes", (5, 2_097_140, 9)
    yield "cubes", (5, 2_097_140, 20), OverflowError
    yield "cubes", (5, -2_097_160, 5), OverflowError
