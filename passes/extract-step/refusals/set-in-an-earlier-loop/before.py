"""The mask is bound in the loop before, which may make no trip: only a trip of the second loop needs it."""

import numpy as np
import numpy.typing as npt


def settle(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        inside = x > 0.2
        print(inside.sum())
    for n in range(trips):
        x[inside] = x[inside] * 0.5
    return x


def cases():
    yield "settle", (np.arange(3.0), 2)
    yield "settle", (np.arange(3.0), 0)
