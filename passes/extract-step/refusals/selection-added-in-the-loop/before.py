"""The selected elements are added to all of them: where the numbers differ, NumPy raises.

Hazards: 1.10
"""

import numpy as np
import numpy.typing as npt


def add(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        x += x[x > 0]
    return x


def cases():
    yield "add", (np.array([1.0, 2.0]), 3)
    yield "add", (np.array([1.0, 2.0, -1.0]), 3), ValueError
