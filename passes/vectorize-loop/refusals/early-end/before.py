"""The loop ends where an element says so."""

import numpy as np
import numpy.typing as npt


def until(x: npt.NDArray[np.float64], limit: float):
    y = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > limit:
            break
        y[i] = x[i]
    return y


def cases():
    yield "until", (np.arange(6.0), 3.5)
