"""The sign of a zero imaginary part chooses the side: 0.01 - z has +0.0 where -z has -0.0.

Hazards: 2.functions
"""

import numpy as np
import numpy.typing as npt


def roots(z: npt.NDArray[np.complex128], trips: int):
    for n in range(trips):
        z = np.sqrt(0.01 - z)
        z = np.sqrt(z + 1) * 0.5 + z * 0.25
    return z


def cases():
    row = np.array([1 + 0j, 2, -1.5, 0.01, complex(-2, -0.0), complex(-1, 0.0)])
    for trips in (0, 1, 2, 9):
        yield "roots", (row, trips)
