"""Python's integers have no width: the runtime leaves what could leave 64 bits to Python."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _fnv_loop(data, h):
    """The loop in `fnv`."""
    for k in range(data.size):
        h = ((h ^ int(data[k])) * 16777619) & 0xFFFFFFFF
    return h


def fnv(data: npt.NDArray[np.uint8]) -> int:
    h = 2166136261
    h = _fnv_loop(data, h)
    return h


@npr.native
def _shifted_loop(data, h):
    """The loop in `shifted`."""
    for value in data:
        h = (h << 5) + h ^ value
    return h


def shifted(data: npt.NDArray[np.uint32]):
    h = np.uint32(5381)
    h = _shifted_loop(data, h)
    return h


@npr.native
def _without_bound_loop(data, product):
    """The loop in `without_bound`."""
    for k in range(len(data)):
        product *= int(data[k])
    return product


def without_bound(data: npt.NDArray[np.int64]) -> int:
    product = 1
    product = _without_bound_loop(data, product)
    return product


def cases():
    data = np.arange(7, 250, 9, dtype=np.uint8)
    yield "fnv", (data,)
    yield "fnv", (data[:0],)
    yield "fnv", (data[::-2],)
    yield "shifted", (data.astype(np.uint32) * 77777,)
    yield "shifted", (np.zeros(0, np.uint32),)
    yield "without_bound", (np.arange(1, 60),)
