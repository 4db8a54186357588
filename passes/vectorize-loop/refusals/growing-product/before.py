"""A Python integer grows; int64 wraps."""

import numpy as np
import numpy.typing as npt


def powers(x: npt.NDArray[np.float64]):
    y = np.zeros(len(x))
    for i in range(len(x)):
        p = 1
        for k in range(100):
            p *= i + k
        y[i] = x[i] * p
    return y


def cases():
    yield "powers", (np.arange(3.0),)
