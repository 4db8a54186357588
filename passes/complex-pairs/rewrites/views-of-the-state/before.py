"""Views of the array and of its parts were taken before the loop: they see what the loop stores.

Hazards: 2.views
"""

import numpy as np
import numpy.typing as npt


def orbit(width: int, maxiter: int):
    x = np.linspace(-2, 0.5, width, dtype=np.float32)
    C = x + 1j * x[:, None] * 0.5
    Z = np.zeros(C.shape, dtype=np.complex64)
    corner = Z[1:3, ::-1]
    height = Z.imag
    for n in range(maxiter):
        I = np.abs(Z) < 2.0
        Z[I] = Z[I] * Z[I] + C[I]
    return Z, corner, height


def of_the_caller(Z: npt.ArrayLike, maxiter: int):
    window = np.asarray(Z, dtype=np.complex64)[1:]
    for n in range(maxiter):
        window[...] = window * (0.5 + 0.5j) + 1
    return window, Z


def cases():
    for maxiter in (30, 9, 8, 1, 0):
        yield "orbit", (12, maxiter)
    yield "orbit", (1, 9)
    yield "of_the_caller", (np.arange(6).astype(np.complex64), 9)
    yield "of_the_caller", (np.arange(6).astype(np.complex64)[::-2], 9)
