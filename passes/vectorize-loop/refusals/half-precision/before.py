"""Half precision rounds between the operations of NumPy in its own way."""

import numpy as np
import numpy.typing as npt


def halved(x: npt.NDArray[np.float16]):
    y = np.zeros(len(x), dtype=np.float32)
    for i in range(len(x)):
        y[i] = x[i] * 2
    return y


def cases():
    yield "halved", (np.arange(4, dtype=np.float16),)
