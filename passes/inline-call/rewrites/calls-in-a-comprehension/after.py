"""The items of a list are what a function computes: they are appended, by the function's own statements."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


def overlap(x, start):
    total = 0.0
    for k in range(3):
        total += x[start + k] * x[k]
    return total


@npr.native
def _nearest_loop(x, least, found):
    """The loop in `nearest`."""
    for k_1 in range(len(x) - 2):
        if x[k_1] > least:
            overlap_total = 0.0
            overlap_total += x[k_1 + 0] * x[0]
            overlap_total += x[k_1 + 1] * x[1]
            overlap_total += x[k_1 + 2] * x[2]
            found.append(overlap_total)


@nprewrite.jit
def nearest(x: npt.NDArray[np.float64], least: float):
    # Those that are long enough.
    found = []
    _nearest_loop(x, least, found)
    return np.argsort(found)[:2]


def cases():
    x = np.arange(12.0) % 5
    yield "nearest", (x, 1.5)
    yield "nearest", (x, 9.0)
    yield "nearest", (x[:2], 0.0)
    yield "nearest", (x[:3], -1.0)
