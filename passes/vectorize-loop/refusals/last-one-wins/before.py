"""Several iterations store into one element: the last one stays."""

import numpy as np
import numpy.typing as npt


def last(x: npt.NDArray[np.float64], where: npt.NDArray[np.int64]):
    y = np.zeros(4)
    for i in range(len(where)):
        y[where[i]] = x[i]
    return y


def cases():
    yield "last", (np.arange(5.0), np.array([0, 1, 1, 3, 0]))
