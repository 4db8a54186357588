"""A sum follows the order of memory, and a step sums a contiguous copy."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def norms(x: npt.NDArray[np.float64]):
    return np.sqrt((x * x).sum(axis=0))


def cases():
    yield "norms", (np.arange(6.0).reshape(2, 3),)
