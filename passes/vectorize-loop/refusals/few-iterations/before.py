"""Three iterations are over before an array operation has begun."""

import numpy as np
import numpy.typing as npt


def weigh(x: npt.NDArray[np.float64]):
    w = np.zeros(3)
    for k in range(3):
        w[k] = x[k] * k
    return w


def cases():
    yield "weigh", (np.arange(4.0),)
