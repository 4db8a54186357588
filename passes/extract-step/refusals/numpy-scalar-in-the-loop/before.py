"""A np.float64 added to float32 lanes is added in float64, and the sum is stored as float32.

Hazards: 1.6
"""

import numpy as np
import numpy.typing as npt


def walk(x: npt.NDArray[np.float32], trips: int):
    dx = np.float64(0.1)
    for _ in range(trips):
        m = x < 3.0
        x[m] = x[m] + dx
    return x


def cases():
    row = np.array([0.1, -0.7, 2.9999, 3.0, np.nan, -np.inf], dtype=np.float32)
    for trips in (9, 203, 8, 1, 0):
        yield "walk", (row.copy(), trips)
