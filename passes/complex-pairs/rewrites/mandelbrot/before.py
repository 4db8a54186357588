"""Escape times of the Mandelbrot set: two masked stores a trip, on complex64."""

import numpy as np


def mandelbrot(xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon=2.0):
    X = np.linspace(xmin, xmax, xn, dtype='float32')
    Y = np.linspace(ymin, ymax, yn, dtype='float32')
    C = X + Y[:, None]*1j
    N = np.zeros(C.shape, dtype='int')
    Z = np.zeros(C.shape, dtype='complex64')
    for n in range(maxiter):
        I = np.abs(Z) < horizon
        N[I] = n
        Z[I] = Z[I]**2 + C[I]
    N[N == maxiter-1] = 0
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
