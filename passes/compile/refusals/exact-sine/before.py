"""Compiled floating point is not NumPy's to the last bit.

Hazards: 3.sum-order
"""

import numpy as np
import numpy.typing as npt


def swing(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        x = 0.5 * x + 0.25
    return x


def cases():
    yield "swing", (np.linspace(-1, 1, 5), 9)
