"""The same set in complex128."""

import numpy as np


def mandelbrot(xn: int, yn: int, maxiter: int, horizon: float = 2.0):
    x = np.linspace(-2.25, 0.75, xn)
    y = np.linspace(-1.25, 1.25, yn)
    c = x + 1j * y[:, None]
    escaped = np.full(c.shape, maxiter, dtype=np.int32)
    z = np.zeros_like(c)
    for n in range(maxiter):
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
