"""A[m] -= A[m].mean(): the mean is a reduction over the selected lanes, the rest is lanewise.

Hazards: 1.13
"""

import numpy as np
import numpy.typing as npt


def centre(x: npt.NDArray[np.float64], trips: int):
    for _ in range(trips):
        m = x > 0.0
        x[m] -= x[m].mean()
    return x


def cases():
    for trips in (9, 8, 3, 1, 0):
        yield "centre", (np.array([0.0, 1.5, 2.0, 4.0, -3.0, 10.0]), trips)
    yield "centre", (np.linspace(-1, 1, 500).reshape(20, 25)[:, ::-1], 4)
    yield "centre", (-np.ones(4), 3)
    yield "centre", (np.array([np.inf, 1.0, -2.0]), 3)
    yield "centre", (np.zeros(0), 3)
    yield "centre", (np.array(2.0), 3)
