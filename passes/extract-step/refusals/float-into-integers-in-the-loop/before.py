"""A float that is computed each trip may be nan or too large for the integers it is stored into.

Hazards: 1.14a
"""

import numpy as np
import numpy.typing as npt


def fill(k: npt.NDArray[np.int64], rate: float, trips: int):
    for n in range(trips):
        k[k > 2] = rate * n
    return k


def cases():
    yield "fill", (np.arange(6), 0.5, 4)
    yield "fill", (np.arange(6), float("nan"), 4), ValueError
