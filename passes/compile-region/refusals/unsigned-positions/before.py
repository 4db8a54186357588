"""To torch an array of uint8 is a mask, and other unsigned integers are no positions."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def picked(x: npt.NDArray[np.float64], k: npt.NDArray[np.uint8]):
    return (x * 2)[k]


def cases():
    yield "picked", (np.arange(3.0), np.array([2, 1, 0], np.uint8))
    yield "picked", (np.arange(3.0), np.array([3], np.uint8)), IndexError
