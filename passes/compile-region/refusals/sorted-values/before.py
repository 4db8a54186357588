"""NumPy sorts faster than compiled code: it stays in NumPy."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def middle(x: npt.NDArray[np.float64]):
    return np.sort(x * 2)


def cases():
    yield "middle", (np.arange(3.0)[::-1],)
