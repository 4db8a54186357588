"""A np.complex128 scalar widens complex64, a Python complex does not.

Hazards: 2.dtype
"""

import numpy as np


def spin(size: int, trips: int):
    z = np.ones(size, dtype=np.complex64)
    w = np.exp(np.complex128(0.1j))
    for n in range(trips):
        z = z * w
    return z


def cases():
    yield "spin", (3, 9)
    yield "spin", (3, 0)
