"""A tuple that is longer after each trip."""

import numpy as np
import numpy.typing as npt


def peaks(x: npt.NDArray[np.float64]):
    found = (0, 1)
    for i in range(1, len(x)):
        x[i] += 0.5 * x[i - 1]
        if x[i] > 1.0:
            found = found + (i,)
    return found


def cases():
    yield "peaks", (np.ones(5),)
