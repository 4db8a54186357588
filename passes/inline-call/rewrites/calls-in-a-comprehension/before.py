"""The items of a list are what a function computes: they are appended, by the function's own statements."""

import numpy as np
import numpy.typing as npt

import nprewrite


def overlap(x, start):
    total = 0.0
    for k in range(3):
        total += x[start + k] * x[k]
    return total


@nprewrite.jit
def nearest(x: npt.NDArray[np.float64], least: float):
    # Those that are long enough.
    found = [overlap(x, k) for k in range(len(x) - 2) if x[k] > least]
    return np.argsort(found)[:2]


def cases():
    x = np.arange(12.0) % 5
    yield "nearest", (x, 1.5)
    yield "nearest", (x, 9.0)
    yield "nearest", (x[:2], 0.0)
    yield "nearest", (x[:3], -1.0)
