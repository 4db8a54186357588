"""The statement works on rows already, and the rows do not fall apart into elements."""

import numpy as np
import numpy.typing as npt


def centred(X: npt.NDArray[np.float64]):
    Y = np.zeros((len(X), 3))
    for i in range(len(X)):
        Y[i] = np.sort(X[i])
    return Y


def cases():
    yield "centred", (np.arange(6.0).reshape(2, 3),)
