"""The index is an array of positions, which may repeat.

Hazards: 1.repeats
"""

import numpy as np
import numpy.typing as npt


def count(bins: npt.NDArray[np.int64], trips: int):
    total = np.zeros(8)
    for n in range(trips):
        total[bins] += 1
    return total


def cases():
    yield "count", (np.array([0, 3, 3, 1]), 9)
