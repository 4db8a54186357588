"""A complex number is true where either part is: bool(0 + 1j) is True.

Hazards: 2.truth
"""

import numpy as np
import numpy.typing as npt


def hits(z: npt.NDArray[np.complex64], trips: int):
    seen = np.zeros(z.shape, dtype=np.int64)
    for n in range(trips):
        z = z * 1j * 0.5
        seen[z.astype(bool)] += 1
        seen[np.logical_not(z)] += 100
        seen[np.where(z, z.real < 0, z.imag == 0)] += 10_000
    return seen


def cases():
    z = np.complex64([0, 1j, -1j, 1, complex(-0.0, 0), complex(np.nan, 0), 3 - 1j])
    for trips in (9, 8, 1, 0):
        yield "hits", (z, trips)
