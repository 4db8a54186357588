"""One after the other the elements are rounded otherwise than in pairs."""

import numpy as np
import numpy.typing as npt


def total(x: npt.NDArray[np.float64]):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s


def cases():
    yield "total", (np.full(100, 0.1),)
