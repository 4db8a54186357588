"""Real and complex numbers stored into a complex array keep its dtype and the other lanes' bits.

Hazards: 2.dtype
"""

import numpy as np


def seed(size: int):
    x = np.linspace(-2, 2, size)
    Z = np.zeros(size, dtype=np.complex64)
    Z[...] = np.where(x > 0, 1.5 - 2j, Z)
    Z[...] = np.where(x < -1, 3, Z)
    W = np.full(size, complex(-0.0, np.nan), dtype=np.complex128)
    W[...] = np.where(x > 0, Z, W)
    return Z, W


def cases():
    for size in (0, 1, 2, 15):
        yield "seed", (size,)
