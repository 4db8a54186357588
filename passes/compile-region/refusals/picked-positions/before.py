"""A position out of range raises in NumPy, and reads other memory when compiled."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def picked(x: npt.NDArray[np.float64], k: npt.NDArray[np.int64]):
    return (x * 2)[k]


def cases():
    yield "picked", (np.arange(3.0), np.array([2, -1, 0]))
    yield "picked", (np.arange(3.0), np.array([3])), IndexError
