"""The largest of no elements raises: in the middle of the loop, after part of the state was stored.

Hazards: 1.read-empty
"""

import numpy as np
import numpy.typing as npt


def normalise(x: npt.NDArray[np.float64], limit: float, trips: int):
    for _ in range(trips):
        m = x > limit
        top = x[m].max()
        x[m] = x[m] / top
        x += m.sum() / x.size
    return x


def cases():
    for trips in (9, 8, 3, 1, 0):
        yield "normalise", (np.array([0.0, 1.5, 2.0, 4.0, -3.0, 10.0]), 0.5, trips)
    yield "normalise", (np.array([0.0, 1.5, 2.0]), 5.0, 3), ValueError
    yield "normalise", (np.array([0.0, 1.5, 2.0]), 5.0, 0)
    yield "normalise", (np.array([np.nan, 1.5, 2.0]), 1.0, 3)
    yield "normalise", (np.zeros(0), 0.5, 3), ValueError
