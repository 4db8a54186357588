"""Every element is set before one is read, however long the array is."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def mirrored(x: npt.NDArray[np.float64]):
    z = np.empty(len(x))
    z[1:-1] = x[1:-1] * 2
    z[0] = x[-1] + 1
    z[-1] = x[0] + 1
    return z * z


def cases():
    yield "mirrored", (np.arange(4.0),)
    yield "mirrored", (np.arange(1.0),)
