"""The handler sees how far the loop came."""

import numpy as np
import numpy.typing as npt


def reached(x: npt.NDArray[np.float64], limit: int):
    i = -1
    try:
        for i in range(limit):
            x[i] = 2 * x[i]
    except IndexError:
        pass
    return i, x


def cases():
    for limit in (3, 9):
        yield "reached", (np.linspace(0, 1, 5), limit)
