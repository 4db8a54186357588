"""The last element is read as the memory happens to be: NumPy's memory stays what is read."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def padded(x: npt.NDArray[np.float64]):
    z = np.empty(len(x) + 1)
    z[:-1] = x
    return z.size


def cases():
    yield "padded", (np.arange(3.0),)
