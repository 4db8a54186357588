"""Escape times of the Mandelbrot set: two masked stores a trip, on complex64."""

import numpy as np
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
def _mandelbrot_step(n, horizon, C_re, C_im, Z_re, Z_im, N):
    """One iteration of the loop over `n` in `mandelbrot`."""
    I = Z_re * Z_re + Z_im * Z_im < horizon * horizon
    N = np.where(I, n, N)
    Z_re, Z_im = (
        np.where(I, Z_re * Z_re - Z_im * Z_im + C_re, Z_re),
        np.where(I, Z_re * Z_im + Z_im * Z_re + C_im, Z_im),
    )
    return Z_re, Z_im, N, I


def mandelbrot(xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon=2.0):
    X = np.linspace(xmin, xmax, xn, dtype='float32')
    Y = np.linspace(ymin, ymax, yn, dtype='float32')
    C = X + Y[:, None]*1j
    N = np.zeros(C.shape, dtype='int')
    Z = np.zeros(C.shape, dtype='complex64')
    for n in _mandelbrot_step.over(range(maxiter), horizon=horizon, C=C, Z=Z, N=N):
        I = np.abs(Z) < horizon
        N[I] = n
        Z[I] = Z[I]**2 + C[I]
    N[...] = np.where(N == maxiter-1, 0, N)
    return Z, N


def cases():
    window = (-2.25, 0.75, -1.25, 1.25)
    for maxiter in (40, 203, 16, 9, 8, 7, 1, 0):
        yield "mandelbrot", (*window, 24, 17, maxiter, 2.0**40)
    yield "mandelbrot", (*window, 24, 17, 40)
    yield "mandelbrot", (*window, 24, 17, np.int64(40), 2)
    yield "mandelbrot", (*window, 1, 1, 40, 4.0)
    yield "mandelbrot", (*window, 0, 5, 40, 4.0)
    yield "mandelbrot", (1.0, 2.0, 1.0, 2.0, 200, 150, 60, 2.0)
    for horizon in (0.0, -1.0, 1e-35, 2.0**70, np.inf, -np.inf, np.nan):
        yield "mandelbrot", (*window, 5, 4, 12, horizon)
    for horizon in (np.float64(2.0), np.float32(2.0), np.int8(2), True, np.array(2.0), np.full((4, 5), 2.0)):
        yield "mandelbrot", (*window, 5, 4, 12, horizon)
    yield "mandelbrot", (*window, 5, 4, 12, "2"), TypeError
    yield "mandelbrot", (*window, 5, 4, 2.5), TypeError
