"""Neighbours are read from slices: a step over whole arrays, one trip a call."""

import numpy as np
import numpy.typing as npt


def heat(u: npt.NDArray[np.float64], trips: int):
    for _ in range(trips):
        u[1:-1] = 0.5 * (u[:-2] + u[2:])
    return u


def jacobi(size: int, trips: int):
    u = np.zeros((size, size))
    u[0] = 1.0
    for _ in range(trips):
        v = u.copy()
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u = v
    return u


def running(c: npt.NDArray[np.int64], trips: int):
    for _ in range(trips):
        c[1:] += c[:-1]
    return c


def cases():
    for trips in (9, 8, 1, 0):
        yield "heat", (np.arange(8.0) ** 2, trips)
        yield "jacobi", (6, trips)
        yield "running", (np.arange(6), trips)
    yield "heat", ((np.arange(8.0) ** 2)[::-1], 9)
    yield "heat", (np.zeros(2), 9)
    yield "heat", (np.zeros(1), 9)
    yield "heat", (np.zeros(0), 9)
    yield "heat", (np.array(1.0), 9), IndexError
    yield "heat", (np.arange(12.0).reshape(4, 3), 9)
    yield "jacobi", (2, 9)
    yield "jacobi", (1, 9)
    yield "running", (np.arange(6)[::-2], 70)
