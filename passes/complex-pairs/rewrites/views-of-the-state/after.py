"""Views of the array and of its parts were taken before the loop: they see what the loop stores.

Hazards: 2.views
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    inputs={"C": npr.pair("float32")},
    state={"Z": npr.pair("float32")},
    lanewise=True,
    chunked=True,
    live="I",
    compile=True,
)
def _orbit_step(C_re, C_im, Z_re, Z_im):
    """One iteration of the loop over `n` in `orbit`."""
    I = Z_re * Z_re + Z_im * Z_im < 4.0
    Z_re, Z_im = (
        np.where(I, Z_re * Z_re - Z_im * Z_im + C_re, Z_re),
        np.where(I, Z_re * Z_im + Z_im * Z_re + C_im, Z_im),
    )
    return Z_re, Z_im, I


def orbit(width: int, maxiter: int):
    x = np.linspace(-2, 0.5, width, dtype=np.float32)
    C = x + 1j * x[:, None] * 0.5
    Z = np.zeros(C.shape, dtype=np.complex64)
    corner = Z[1:3, ::-1]
    height = Z.imag
    for n in _orbit_step.over(range(maxiter), C=C, Z=Z):
        I = np.abs(Z) < 2.0
        Z[I] = Z[I] * Z[I] + C[I]
    return Z, corner, height


@npr.step(
    counter="n",
    state={"window": npr.pair("float32")},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _of_the_caller_step(window_re, window_im):
    """One iteration of the loop over `n` in `of_the_caller`."""
    t_re, t_im = 0.5 + 0.0, 0.5
    window_re[...], window_im[...] = (
        window_re * t_re - window_im * t_im + 1,
        window_re * t_im + window_im * t_re + 0.0,
    )
    return window_re, window_im


def of_the_caller(Z: npt.ArrayLike, maxiter: int):
    window = np.asarray(Z, dtype=np.complex64)[1:]
    for n in _of_the_caller_step.over(range(maxiter), window=window):
        window[...] = window * (0.5 + 0.5j) + 1
    return window, Z


def cases():
    for maxiter in (30, 9, 8, 1, 0):
        yield "orbit", (12, maxiter)
    yield "orbit", (1, 9)
    yield "of_the_caller", (np.arange(6).astype(np.complex64), 9)
    yield "of_the_caller", (np.arange(6).astype(np.complex64)[::-2], 9)
