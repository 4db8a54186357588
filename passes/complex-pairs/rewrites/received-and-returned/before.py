"""The array is the caller's: strides, overlap and views are as they were.

Hazards: 1.1
"""

import numpy as np
import numpy.typing as npt


def relax(Z: npt.NDArray[np.complex64], C: npt.NDArray[np.complex64], trips: int):
    for n in range(trips):
        far = np.abs(Z - C) > 0.01
        Z[far] = Z[far] + (C[far] - Z[far]) * (0.5 + 0.1j)
    return Z, far if trips else None


def overlapping(size: int, trips: int):
    row = np.linspace(0, 1, size) * np.complex64(1 + 1j)
    row = row.astype(np.complex64)
    relax(row[1:], row[:-1], trips)
    return row


def line(size: int):
    return (np.linspace(-1, 1, size) * (1 - 2j)).astype(np.complex64)


def cases():
    for trips in (9, 8, 1, 0):
        yield "relax", (line(9), line(9)[::-1], trips)
        yield "overlapping", (9, trips)
    same = line(9)
    yield "relax", (same, same, 9)
    yield "relax", (same[::-1], same, 9)
    yield "relax", (line(12).reshape(3, 4).T, line(12).reshape(4, 3), 9)
    yield "relax", (line(12)[::3], line(4), 9)
    yield "relax", (line(4), np.complex64(2), 9), IndexError
    yield "relax", (line(4), np.full(4, 1 + 1j), 9)
    yield "relax", (line(0), line(0), 9)
    locked = line(4)
    locked.flags.writeable = False
    yield "relax", (locked, line(4)[::-1], 9), ValueError
