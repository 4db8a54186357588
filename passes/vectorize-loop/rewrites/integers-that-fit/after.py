"""Wider integers, which have to fit one by one: NumPy raises for a number, and wraps arrays around."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


def scaled(a: npt.NDArray[np.int8], v: npt.NDArray[np.int64]):
    if (
        npr.quiet()
        and npr.are_arrays(np.int8, 1, a)
        and npr.are_arrays(np.int64, 1, v)
        and npr.apart(a, v)
        and v.shape[0] <= a.shape[0]
        and npr.fit(v * 2, a)
    ):
        with np.errstate(all="ignore"):
            a[:v.shape[0]] = v * 2
    else:
        for i in range(len(v)):
            a[i] = v[i] * 2


def added(a: npt.NDArray[np.int32], v: npt.NDArray[np.int64]):
    if (
        npr.quiet()
        and npr.are_arrays(np.int32, 1, a)
        and npr.are_arrays(np.int64, 1, v)
        and npr.apart(a, v)
        and v.shape[0] <= a.shape[0]
        and npr.fit(a[:v.shape[0]] + v, a)
    ):
        with np.errstate(all="ignore"):
            a[:v.shape[0]] += v
    else:
        for i in range(len(v)):
            a[i] += v[i]


def unsigned(a: npt.NDArray[np.uint8], v: npt.NDArray[np.int64]):
    if (
        npr.quiet()
        and npr.are_arrays(np.uint8, 1, a)
        and npr.are_arrays(np.int64, 1, v)
        and npr.apart(a, v)
        and v.shape[0] <= a.shape[0]
    ):
        with np.errstate(all="ignore"):
            a[:v.shape[0]] = v
    else:
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
