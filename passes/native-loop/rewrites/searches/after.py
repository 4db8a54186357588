"""A loop that returns takes what follows it along; so does a search by halves."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _first_above_loop(x, limit):
    """The loop in `first_above`."""
    for i in range(len(x)):
        if x[i] > limit:
            return i, x[i]
    return None


def first_above(x: npt.NDArray[np.float64], limit: float):
    return _first_above_loop(x, limit)


@npr.native
def _position_loop(low, high, x, wanted):
    """The loop in `position`."""
    while low < high:
        middle = (low + high) // 2
        if x[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def position(x: npt.NDArray[np.int64], wanted: int) -> int:
    low, high = 0, len(x)
    low = _position_loop(low, high, x, wanted)
    return low


def cases():
    x = np.array([0.5, 2.0, np.nan, 8.0])
    for limit in (0.0, 3.0, 9.0, float("nan")):
        yield "first_above", (x, limit)
    for wanted in (-1, 4, 5, 99):
        yield "position", (np.arange(0, 40, 4), wanted)
    yield "position", (np.zeros(0, np.int64), 1)
