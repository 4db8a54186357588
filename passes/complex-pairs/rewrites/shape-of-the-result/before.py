"""After the loop it is one complex array again: .T, sum(-1), reshape(-1), len, size, [..., 0].

Hazards: 2.layout
"""

import numpy as np


def spin(rows: int, columns: int, trips: int):
    Z = np.ones((rows, columns), dtype=np.complex64)
    W = np.arange(rows * columns).reshape(rows, columns) * (0.01 + 0.02j)
    for _ in range(trips):
        Z[...] = Z * W + 1j
    return Z.T, Z.sum(-1), Z.reshape(-1), len(Z), Z.size, Z[..., 0], Z.nbytes, Z.dtype.name, Z.ndim, Z.shape


def cases():
    for trips in (9, 8, 1, 0):
        yield "spin", (3, 4, trips)
    yield "spin", (1, 1, 9)
    yield "spin", (0, 4, 9)
