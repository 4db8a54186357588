"""A name that is an array where it is read first, and a number later, ends the region before the number."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def settled(x: npt.NDArray[np.float64], t: npt.NDArray[np.float64]):
    u = np.sin(x) * t + np.cos(x) * t
    v = u * t + 1.0
    t = 1
    u = u * 0.5 + v * t
    return u, v, t


def cases():
    yield "settled", (np.arange(4.0), np.arange(4.0) + 2)
    yield "settled", (np.ones(0), np.ones(0))
