"""Where the condition fails, the value of an earlier trip is stored."""

import numpy as np
import numpy.typing as npt


def hold(x: npt.NDArray[np.float64], limit: float):
    y = np.zeros(len(x))
    seen = 0.0
    for i in range(len(x)):
        if x[i] > limit:
            seen = x[i]
        y[i] = seen
    return y


def cases():
    yield "hold", (np.array([1.0, -1.0, 3.0, 2.0]), 1.5)
