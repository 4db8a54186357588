"""A function of the user may do anything with the number."""

import numpy as np
import numpy.typing as npt


def shape(t):
    return t if t < 1 else 1.0


def shaped(x: npt.NDArray[np.float64]):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = shape(x[i])
    return y


def cases():
    yield "shaped", (np.arange(4.0) / 2,)
