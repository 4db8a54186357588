"""The loop variable of a step is read after the loop."""

import numpy as np
import numpy.typing as npt


def even(x: npt.NDArray[np.float64]):
    i = -1
    for i in range(0, len(x), 2):
        x[i] = 0.0
    return x, i


def cases():
    yield "even", (np.arange(5.0),)
    yield "even", (np.zeros(0),)
