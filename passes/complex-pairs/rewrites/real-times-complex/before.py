"""NumPy makes the real factor complex first: (inf + 0j) * 2.0 has a nan part.

Hazards: 2.real-factor
"""

import numpy as np
import numpy.typing as npt


def double(z: npt.NDArray[np.complex128], r: npt.NDArray[np.float64], trips: int):
    for _ in range(trips):
        z = z * 2.0
        z = r * z
        z = z + 1.0
    return np.isnan(z.real), np.isnan(z.imag), z.real, z.imag


def cases():
    z = np.array([complex(np.inf, 0), complex(0, -np.inf), 1 + 2j, complex(np.nan, 1), complex(np.inf, np.inf)])
    for trips in (1, 2, 9):
        yield "double", (z, np.ones(5), trips)
    yield "double", (np.array([1 + 0j, 0j, 1j]), np.array([np.inf, np.inf, np.nan]), 1)
