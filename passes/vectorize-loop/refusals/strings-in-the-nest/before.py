"""A value that is no number."""

import numpy as np
import numpy.typing as npt


def labelled(x: npt.NDArray[np.float64]):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] and 1.0
    return y


def cases():
    yield "labelled", (np.array([0.0, 2.0, np.nan]),)
