"""Functions that are written as `lambda`, of the file and of the function itself."""

import numpy as np
import numpy.typing as npt

import nprewrite

square = lambda value: value * value


@nprewrite.jit
def walk(x: npt.NDArray[np.float64], a: float):
    clip = lambda value, low=0.0: value + a if value > low else low
    for i in range(1, len(x)):
        x[i] = clip(x[i - 1] - a * square(x[i]))
    return x


def cases():
    yield "walk", (np.linspace(-1.0, 2.0, 30), 0.3)
    yield "walk", (np.array([np.nan, 0.0, np.inf, 1.0]), -0.3)
