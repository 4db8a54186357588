"""The iteration is a function that the caller passes; a guard sees that it is the one which the step is made of."""

import numpy as np
import nprewrite.runtime as npr


def advance(n, C, Z, N, horizon):
    I = np.abs(Z) < horizon
    N[I] = n
    Z[I] = Z[I] ** 2 + C[I]
    return Z, N


def backwards(n, C, Z, N, horizon):
    Z, N = advance(n, C, Z, N, horizon)
    N[...] = -N
    return Z, N


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    constants={"horizon": "float32"},
    bounds={"horizon": (8.673617379884035e-19, 9.223372036854776e+18)},
    inputs={"C": npr.pair("float32")},
    state={"Z": npr.pair("float32"), "N": "int64"},
    calls={"step": advance},
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


def mandelbrot(size: int, maxiter: int, step, horizon: float = 2.0):
    X = np.linspace(-2.25, 0.75, size, dtype="float32")
    Y = np.linspace(-1.25, 1.25, size - 2, dtype="float32")
    C = X + Y[:, None] * 1j
    N = np.zeros(C.shape, dtype="int")
    Z = np.zeros(C.shape, dtype="complex64")
    for n in _mandelbrot_step.over(
        range(maxiter),
        horizon=horizon,
        C=C,
        Z=Z,
        N=N,
        step=step,
    ):
        Z, N = step(n, C, Z, N, horizon)
    N[...] = np.where(N == maxiter - 1, 0, N)
    return Z, N


def main():
    print(mandelbrot(64, 20, advance, 2.0**40)[1].sum())


def cases():
    for maxiter in (0, 1, 8, 21):
        yield "mandelbrot", (12, maxiter, advance)
    yield "mandelbrot", (12, 9, backwards)
    yield "mandelbrot", (12, 9, lambda n, C, Z, N, horizon: (Z + C, N + n))
    yield "mandelbrot", (12, 9, None), TypeError
    yield "mandelbrot", (12, 0, None)
