"""Functions that are written as `lambda`, of the file and of the function itself."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr

square = lambda value: value * value


@npr.native
def _walk_loop(x, a):
    """The loop in `walk`."""
    for i in range(1, len(x)):
        square_value = x[i]
        square_value_1 = square_value * square_value
        clip_value = x[i - 1] - a * square_value_1
        x[i] = clip_value + a if clip_value > 0.0 else 0.0


@nprewrite.jit
def walk(x: npt.NDArray[np.float64], a: float):
    clip = lambda value, low=0.0: value + a if value > low else low
    _walk_loop(x, a)
    return x


def cases():
    yield "walk", (np.linspace(-1.0, 2.0, 30), 0.3)
    yield "walk", (np.array([np.nan, 0.0, np.inf, 1.0]), -0.3)
