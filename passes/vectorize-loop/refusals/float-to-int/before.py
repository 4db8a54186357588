"""int(...) of nan raises, and a large float becomes an integer of any length."""

import numpy as np
import numpy.typing as npt


def bins(x: npt.NDArray[np.float64]):
    h = np.zeros(4)
    for i in range(len(x)):
        h[int(x[i])] += 1
    return h


def cases():
    yield "bins", (np.array([0.5, 3.5, 1.0]),)
    yield "bins", (np.array([0.5, np.nan]),), ValueError
