"""Wider integers, which have to fit one by one: NumPy raises for a number, and wraps arrays around."""

import numpy as np
import numpy.typing as npt


def scaled(a: npt.NDArray[np.int8], v: npt.NDArray[np.int64]):
    for i in range(len(v)):
        a[i] = v[i] * 2


def added(a: npt.NDArray[np.int32], v: npt.NDArray[np.int64]):
    for i in range(len(v)):
        a[i] += v[i]


def unsigned(a: npt.NDArray[np.uint8], v: npt.NDArray[np.int64]):
    for i in range(len(v)):
        a[i] = v[i]


def cases():
    v = np.array([1, 63, -64])
    yield "scaled", (np.zeros(3, np.int8), v)
    yield "scaled", (np.zeros(3, np.int8), v[:0])
    yield "scaled", (np.zeros(3, np.int8), v + 1), OverflowError
    yield "added", (np.full(3, 2**31 - 64, np.int32), v)
    yield "added", (np.full(3, 2**31 - 63, np.int32), v), OverflowError
    yield "unsigned", (np.zeros(3, np.uint8), v * 5)
