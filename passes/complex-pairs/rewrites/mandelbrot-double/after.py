"""The same set in complex128."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "int32"},
    constants={"horizon": "float64", "maxiter": "int32"},
    bounds={"horizon": (3.054936363499605e-151, 6.703903964971299e+153)},
    inputs={"c": npr.pair("float64")},
    state={"z": npr.pair("float64"), "escaped": "int32"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _mandelbrot_step(n, horizon, maxiter, c_re, c_im, z_re, z_im, escaped):
    """One iteration of the loop over `n` in `mandelbrot`."""
    mask = z_re * z_re + z_im * z_im <= horizon * horizon
    z_re, z_im = (
        np.where(mask, z_re * z_re - z_im * z_im + c_re, z_re),
        np.where(mask, z_re * z_im + z_im * z_re + c_im, z_im),
    )
    out = (np.hypot(z_re, z_im) > horizon) & (escaped == maxiter)
    escaped = np.where(out, n, escaped)
    return z_re, z_im, escaped


def mandelbrot(xn: int, yn: int, maxiter: int, horizon: float = 2.0):
    x = np.linspace(-2.25, 0.75, xn)
    y = np.linspace(-1.25, 1.25, yn)
    c = x + 1j * y[:, None]
    escaped = np.full(c.shape, maxiter, dtype=np.int32)
    z = np.zeros_like(c)
    for n in _mandelbrot_step.over(
        range(maxiter),
        horizon=horizon,
        maxiter=maxiter,
        c=c,
        z=z,
        escaped=escaped,
    ):
        z[np.abs(z) <= horizon] = (z**2 + c)[np.abs(z) <= horizon]
        out = (np.abs(z) > horizon) & (escaped == maxiter)
        escaped[out] = n
    return escaped


def cases():
    for maxiter in (40, 100, 16, 9, 8, 7, 1, 0):
        yield "mandelbrot", (24, 17, maxiter)
    yield "mandelbrot", (24, 17, 40, 2.0**40)
    yield "mandelbrot", (24, 17, 40, 2.0**600)
    yield "mandelbrot", (5, 4, 9, -1.0)
    yield "mandelbrot", (1, 1, 40)
    yield "mandelbrot", (5, 0, 40)
