"""A Julia set: the constant is a Python complex, which leaves complex64 as it is.

Hazards: 2.dtype
"""

import numpy as np
import nprewrite.runtime as npr

RABBIT = -0.123 + 0.745j


@npr.step(
    counter="n",
    scalars={"n": "int16"},
    constants={"horizon": "float32", "c": npr.pair("float32")},
    bounds={"horizon": (8.673617379884035e-19, 9.223372036854776e+18)},
    state={"Z": npr.pair("float32"), "N": "int16"},
    lanewise=True,
    chunked=True,
    live="I",
    compile=True,
)
def _julia_step(n, horizon, c_re, c_im, Z_re, Z_im, N):
    """One iteration of the loop over `n` in `julia`."""
    I = Z_re * Z_re + Z_im * Z_im < horizon * horizon
    Z_re, Z_im = (
        np.where(I, Z_re * Z_re - Z_im * Z_im + c_re, Z_re),
        np.where(I, Z_re * Z_im + Z_im * Z_re + c_im, Z_im),
    )
    N = np.where(I, n, N)
    return Z_re, Z_im, N, I


def julia(width: int, height: int, maxiter: int, c: complex = RABBIT, horizon: float = 2.0):
    x = np.linspace(-1.5, 1.5, width, dtype=np.float32)
    y = np.linspace(-1.0, 1.0, height, dtype=np.float32)
    Z = x + 1j * y[:, None]
    N = np.zeros(Z.shape, dtype=np.int16)
    for n in _julia_step.over(range(maxiter), horizon=horizon, c=c, Z=Z, N=N):
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
