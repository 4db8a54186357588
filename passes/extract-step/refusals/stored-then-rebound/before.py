"""The first trip stores into the caller's array, the later ones into new ones.
"""

import numpy as np
import numpy.typing as npt


def drift(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        x += 1
        x = x * 0.5
    return x


def cases():
    for trips in (0, 1, 4):
        yield "drift", (np.arange(6.0), trips)
