"""Every lane reads the sum of all lanes, which a compiled step adds in another order.

Hazards: 3.sum-order
"""

import numpy as np
import numpy.typing as npt


def normalise(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        x = x / x.sum() + 0.5
    return x


def cases():
    for trips in (9, 8, 1, 0):
        yield "normalise", (np.arange(1, 8.0), trips)
    yield "normalise", (np.array([1.0, np.nan, 2.0]), 3)
    yield "normalise", (np.zeros((3, 2)), 3)
    yield "normalise", (np.zeros(0), 3)
    yield "normalise", (np.array(2.0), 3)
