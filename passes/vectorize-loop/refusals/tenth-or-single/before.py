"""0.1 stays a double where nothing is added, and is rounded to single precision elsewhere."""

import numpy as np
import numpy.typing as npt


def lifted(x: npt.NDArray[np.float32]):
    y = np.zeros(len(x))
    for i in range(len(x)):
        t = 0.1
        if x[i] > 0:
            t += x[i]
        y[i] = t
    return y


def cases():
    yield "lifted", (np.array([1.0, -1.0], dtype=np.float32),)
