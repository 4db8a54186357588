"""The mask written as np.less(abs(Z), horizon), with the builtin abs."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    constants={"horizon": "float32"},
    bounds={"horizon": (8.673617379884035e-19, 9.223372036854776e+18)},
    inputs={"C": npr.pair("float32")},
    state={"Z": npr.pair("float32"), "N": "int64"},
    lanewise=True,
    chunked=True,
    live="I",
    compile=True,
)
def _escape_step(n, horizon, C_re, C_im, Z_re, Z_im, N):
    """One iteration of the loop over `n` in `escape`."""
    I = Z_re * Z_re + Z_im * Z_im < horizon * horizon
    N = np.where(I, n, N)
    Z_re, Z_im = (
        np.where(I, Z_re * Z_re - Z_im * Z_im + C_re, Z_re),
        np.where(I, Z_re * Z_im + Z_im * Z_re + C_im, Z_im),
    )
    return Z_re, Z_im, N, I


def escape(C: npt.NDArray[np.complex64], maxiter: int, horizon: float):
    Z = np.zeros_like(C)
    N = np.zeros(C.shape, dtype=np.int64)
    for n in _escape_step.over(range(maxiter), horizon=horizon, C=C, Z=Z, N=N):
        I = np.less(abs(Z), horizon)
        N[I] = n
        Z[I] = np.add(np.square(Z[I]), C[I])
    return Z, N


def plane(width: int, height: int):
    x = np.linspace(-2, 0.5, width, dtype=np.float32)
    y = np.linspace(-1, 1, height, dtype=np.float32)
    return x + 1j * y[:, None]


def cases():
    for maxiter in (40, 9, 8, 1, 0):
        yield "escape", (plane(20, 11), maxiter, 4.0)
    yield "escape", (plane(20, 11)[::-1, ::2], 40, 4.0)
    yield "escape", (plane(20, 11).T, 40, 4.0)
    yield "escape", (plane(20, 11).astype(np.complex128), 9, 4.0)
    yield "escape", (plane(20, 11).real, 9, 4.0)
    yield "escape", (plane(1, 1), 9, 4.0)
    yield "escape", (np.complex64([np.inf, np.nan, complex(np.nan, -np.inf), 1e30, 1e-30]), 9, 4.0)
