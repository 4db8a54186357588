"""In-place operators and full stores change the caller's array, step by step."""

import numpy as np
import numpy.typing as npt


def cool(T: npt.NDArray[np.float64], room: float, rate: float, trips: int):
    for _ in range(trips):
        T -= room
        T *= 1 - rate
        T[...] = T + room
    return T


def accumulate(total: npt.NDArray[np.int32], x: npt.NDArray[np.int32], trips: int):
    for n in range(trips):
        total += x * n
        total[...] = total ^ 5
    return total


def cases():
    row = np.array([0.0, -0.0, 90.5, -2.0, np.nan, np.inf])
    for trips in (9, 203, 8, 1, 0):
        yield "cool", (row.copy(), 20.0, 0.1, trips)
        yield "accumulate", (np.arange(5, dtype=np.int32), np.arange(5, dtype=np.int32)[::-1], trips)
    yield "cool", (row.copy()[::-2], 20, 0.1, 9)
    yield "cool", (np.asfortranarray(np.outer(row, row)), 20.0, 0.1, 9)
    yield "cool", (np.array(3.0), 20.0, 0.1, 9)
    yield "cool", (np.arange(3), 20.0, 0.1, 9), TypeError
    yield "cool", (np.array([1, 2], dtype=np.float32), 20.0, 0.1, 9)
    yield "cool", (row.copy(), np.float64(20.0), 0.1, 9)
    locked = row.copy()
    locked.flags.writeable = False
    yield "cool", (locked, 20.0, 0.1, 9), ValueError
    same = np.arange(5, dtype=np.int32)
    yield "accumulate", (same, same, 9)
    yield "accumulate", (same[1:], same[:-1], 9)
    yield "accumulate", (np.full(3, 2**31 - 1, dtype=np.int32), np.ones(3, dtype=np.int32), 9)
    yield "accumulate", (np.zeros(3, dtype=np.int32), np.array([1], dtype=np.int32), 9)
