"""The compiled sign of nan would be 0."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def signs(x: npt.NDArray[np.float64]):
    return np.sign(x * 2)


def cases():
    yield "signs", (np.array([1.0, np.nan, -3.0]),)
