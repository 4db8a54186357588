"""A function that is called for each element may do anything."""

import numpy as np
import numpy.typing as npt

seen = []


def noted(value):
    seen.append(value)
    return 0.5 * value


def decay(x: npt.NDArray[np.float64]):
    for i in range(1, len(x)):
        x[i] = noted(x[i - 1]) + x[i]
    return x


def cases():
    yield "decay", (np.linspace(0, 1, 5),)
