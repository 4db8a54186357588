"""An index outside of the table raises in the middle of the loop, after part of the state was stored.

Hazards: 3.exception, 1.look-up
"""

import numpy as np
import numpy.typing as npt


def climb(table: npt.NDArray[np.float64], k: npt.NDArray[np.int64], trips: int):
    x = np.zeros(k.shape)
    for n in range(trips):
        x = table[k] + x
        k += 1
    return x


def cases():
    yield "climb", (np.arange(9.0), np.array([0, 1, 2]), 4)
    yield "climb", (np.arange(3.0), np.array([0, 1, 2]), 4), IndexError
