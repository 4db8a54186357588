"""> of complex numbers compares the real parts first, and no part may be nan.

Hazards: 2.order
"""

import numpy as np
import numpy.typing as npt


def chase(z: npt.NDArray[np.complex128], w: npt.NDArray[np.complex128], trips: int):
    ahead = np.zeros(z.shape, dtype=np.int64)
    for n in range(trips):
        z = z * (0.9 + 0.1j) + 0.01
        ahead[z > w] = n
        top = np.where(z >= w, z, w)
        z = z + 0.1 * top
    return z, ahead


def cases():
    x = np.linspace(-1, 1, 11)
    for trips in (9, 8, 1, 0):
        yield "chase", (x + 1j * x[::-1], np.full(11, 0.1 - 0.2j), trips)
    yield "chase", (np.array([1 + 1j, 1 - 1j]), np.array([1 + 0j, 1 + 0j]), 1)
    odd = [complex(a, b) for a in (0.0, 1.0, np.nan, np.inf) for b in (0.0, -1.0, np.nan)]
    yield "chase", (np.repeat(odd, 12), np.tile(odd, 12), 2)
