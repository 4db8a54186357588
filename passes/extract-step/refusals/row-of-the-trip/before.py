"""A row or a number? Nothing says how many dimensions the array has that the loop variable indexes."""

import numpy as np
import numpy.typing as npt


def driven(force: npt.NDArray[np.float64], size: int, trips: int):
    x = np.zeros(size)
    for n in range(trips):
        x = 0.5 * x + force[n]
    return x


def cases():
    yield "driven", (np.arange(9.0), 4, 9)
    yield "driven", (np.arange(3.0), 4, 9), IndexError
