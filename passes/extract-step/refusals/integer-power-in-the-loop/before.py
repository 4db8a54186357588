"""An integer to a negative integer power raises at the trip where it becomes negative.

Hazards: 3.exception, 1.power
"""

import numpy as np
import numpy.typing as npt


def powers(e: npt.NDArray[np.int64], trips: int):
    x = np.zeros(e.shape, dtype=np.int64)
    for n in range(trips):
        x = x + 2 ** e
        e -= 1
    return x


def cases():
    yield "powers", (np.array([5, 6]), 4)
    yield "powers", (np.array([1, 6]), 4), ValueError
