"""Selected under one mask, stored under another: lanes are matched by their rank.

Hazards: 1.12
"""

import numpy as np
import numpy.typing as npt


def shuffle(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        x[x > 1] = x[x < -1]
    return x


def cases():
    yield "shuffle", (np.array([2.0, -3.0, 0.0]), 1)
    yield "shuffle", (np.array([2.0, 3.0, -5.0]), 1)
