"""A function that returns out of a loop that also ends by `break`."""

import numpy as np
import numpy.typing as npt

import nprewrite


def bounded(x, limit):
    for each in limit:
        if each > 0:
            return np.minimum(x, each)
        if each < -1:
            break
    return x


@nprewrite.jit
def limited(x: npt.NDArray[np.float64], limit: tuple[float, ...]):
    return bounded(x, limit) + x


def cases():
    yield "limited", (np.arange(4.0), (-1.0, 2.0))
    yield "limited", (np.arange(4.0), (-2.0, 2.0))
    yield "limited", (np.arange(4.0), ())
