"""A single number that signed integers cannot hold raises, where arrays wrap around; compiled code wraps both.

Hazards: 5.number
"""

import numpy as np
import numpy.typing as npt


def spread(a: npt.NDArray[np.int8], v: npt.NDArray[np.int64], trips: int):
    for n in range(trips):
        a[1:] = v[1] + n
    return a


def cases():
    yield "spread", (np.zeros(4, np.int8), np.array([0, 120, 0]), 3)
    yield "spread", (np.zeros(4, np.int8), np.array([0, 126, 0]), 3), OverflowError
    yield "spread", (np.zeros(1, np.int8), np.array([0, 300, 0]), 1), OverflowError
    # The rows of a matrix wrap around.
    yield "spread", (np.zeros(4, np.int8), np.full((2, 3), 300), 3)
