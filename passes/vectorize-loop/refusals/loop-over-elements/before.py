"""The elements are taken one after another, not the indices."""

import numpy as np
import numpy.typing as npt


def scaled(x: npt.NDArray[np.float64], order: npt.NDArray[np.int64]):
    y = np.zeros(len(x))
    for k in order:
        y[k] = 2.0 * x[k]
    return y


def cases():
    yield "scaled", (np.arange(4.0), np.array([0, 2]))
