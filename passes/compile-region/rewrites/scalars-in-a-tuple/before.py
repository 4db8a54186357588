"""Numbers that one statement names together: all of them are parameters of the step."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def cubic(x: npt.NDArray[np.float64], scale: float):
    y = x * scale
    a, b, c = 0.5, -scale, 3.0
    return ((a * y + b) * y + c) * y


def cases():
    yield "cubic", (np.arange(6.0), 0.5)
    yield "cubic", (np.arange(12.0).reshape(3, 4)[::2], -2.0)
    yield "cubic", (np.zeros(0), 1.0)
