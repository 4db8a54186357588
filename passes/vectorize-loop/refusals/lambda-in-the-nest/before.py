"""A function made in the loop sees the loop variable later on."""

import numpy as np
import numpy.typing as npt


def kept(x: npt.NDArray[np.float64]):
    y = np.zeros(len(x))
    for i in range(len(x)):
        f = lambda: i
        y[i] = x[i]
    return y, f()


def cases():
    yield "kept", (np.arange(3.0),)
