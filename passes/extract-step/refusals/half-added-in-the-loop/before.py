"""+= does not cast back to integers: it raises at the first trip.

Hazards: 1.4
"""

import numpy as np
import numpy.typing as npt


def creep(k: npt.NDArray[np.int64], trips: int):
    for n in range(trips):
        k[k > 2] += 0.5
    return k


def cases():
    yield "creep", (np.arange(6), 0)
    yield "creep", (np.arange(6), 3), TypeError
