"""Each sum starts from the one before."""

import numpy as np
import numpy.typing as npt


def running(x: npt.NDArray[np.float64]):
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = y[i - 1] + x[i]
    return y


def cases():
    yield "running", (np.arange(7.0),)
    yield "running", (np.zeros(0),)
