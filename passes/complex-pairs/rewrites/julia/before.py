"""A Julia set: the constant is a Python complex, which leaves complex64 as it is.

Hazards: 2.dtype
"""

import numpy as np

RABBIT = -0.123 + 0.745j


def julia(width: int, height: int, maxiter: int, c: complex = RABBIT, horizon: float = 2.0):
    x = np.linspace(-1.5, 1.5, width, dtype=np.float32)
    y = np.linspace(-1.0, 1.0, height, dtype=np.float32)
    Z = x + 1j * y[:, None]
    N = np.zeros(Z.shape, dtype=np.int16)
    for n in range(maxiter):
        I = np.abs(Z) < horizon
        Z[I] = Z[I] ** 2 + c
        N[I] = n
    return Z, N


def cases():
    for maxiter in (40, 203, 16, 9, 8, 7, 1, 0):
        yield "julia", (24, 17, maxiter)
    yield "julia", (24, 17, 40, 0.285 + 0.01j, 2.0**40)
    yield "julia", (24, 17, 40, 0.3)
    yield "julia", (24, 17, 40, -1)
    yield "julia", (24, 17, 9, np.complex128(-0.8 + 0.156j))
    yield "julia", (24, 17, 9, np.complex64(-0.8 + 0.156j))
    yield "julia", (5, 4, 9, complex(np.nan, 0))
    yield "julia", (5, 4, 9, complex(0, np.inf))
    yield "julia", (5, 4, 9, 1e60j)
    yield "julia", (0, 4, 9)
