"""complex64 beside complex128: the store keeps its own dtype, the arithmetic is done in the wider one.

Hazards: 2.dtype
"""

import numpy as np
import numpy.typing as npt


def into_single(Z: npt.NDArray[np.complex64], C: npt.NDArray[np.complex128], trips: int):
    for _ in range(trips):
        Z[...] = Z * 0.5 + C
    return Z


def into_double(Z: npt.NDArray[np.complex128], C: npt.NDArray[np.complex64], trips: int):
    for _ in range(trips):
        Z = Z * 0.5 + C
    return Z


def from_real(Z: npt.NDArray[np.complex64], r: npt.NDArray[np.float64], trips: int):
    for _ in range(trips):
        Z[...] = Z * 0.5 + r
    return Z


def cases():
    x = np.linspace(-1, 1, 7)
    for trips in (9, 8, 1, 0):
        yield "into_single", ((x + 1j).astype(np.complex64), x - 0.1j, trips)
        yield "into_double", (x + 1j, (x - 0.1j).astype(np.complex64), trips)
        yield "from_real", ((x + 1j).astype(np.complex64), x, trips)
