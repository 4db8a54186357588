"""Torch has no maximum of complex numbers.

Hazards: 2.order
"""

import numpy as np
import numpy.typing as npt


def highest(z: npt.NDArray[np.complex128], w: npt.NDArray[np.complex128], trips: int):
    for _ in range(trips):
        z = np.maximum(z, w) * (0.9 + 0.1j)
    return z


def cases():
    x = np.linspace(-1, 1, 11)
    for trips in (0, 1, 5):
        yield "highest", (x + 1j * x[::-1], np.full(11, 0.1 - 0.2j), trips)
