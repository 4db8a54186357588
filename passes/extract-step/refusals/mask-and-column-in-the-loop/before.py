"""A mask beside another index selects in one column.

Hazards: 1.16
"""

import numpy as np
import numpy.typing as npt


def settle(A: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        A[A[:, 0] > 1, 0] = 1.0
        A *= 1.5
    return A


def cases():
    yield "settle", (np.arange(6.0).reshape(3, 2), 3)
