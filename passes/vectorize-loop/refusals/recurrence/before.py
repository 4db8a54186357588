"""A filter carries its output from one sample to the next."""

import numpy as np
import numpy.typing as npt


def smooth(x: npt.NDArray[np.float64], a: float):
    y = np.empty(len(x))
    state = 0.0
    for i in range(len(x)):
        state = a * state + (1 - a) * x[i]
        y[i] = state
    return y


def cases():
    yield "smooth", (np.arange(5.0), 0.5)
