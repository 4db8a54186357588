"""A function that returns in two places: what follows the `if` is its other arm."""

import numpy as np
import numpy.typing as npt

import nprewrite


def limited(x, limit):
    if limit < 0:
        return x
    return np.minimum(x, limit)


@nprewrite.jit
def twice(x: npt.NDArray[np.float64], limit: float):
    return limited(x, limit)


def cases():
    yield "twice", (np.arange(4.0), 2.0)
    yield "twice", (np.arange(4.0), -1.0)
