"""Where nothing is found the name has no value, and nobody reads it."""

import numpy as np
import numpy.typing as npt


def last_above(x: npt.NDArray[np.float64], limit: float):
    count = 0
    for i in range(len(x)):
        if x[i] > limit:
            where = i
            count += 1
    return where if count else -1


def cases():
    for limit in (0.5, 2.0):
        yield "last_above", (np.linspace(0, 1, 5), limit)
