"""The body of the loop is a function of the user's already; what it stores and what it returns stay."""

import numpy as np


def step(n, C, Z, N, horizon):
    I = np.abs(Z) < horizon
    N[I] = n
    Z[I] = Z[I]**2 + C[I]
    return Z, N


def mandelbrot(xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon=2.0):
    X = np.linspace(xmin, xmax, xn, dtype='float32')
    Y = np.linspace(ymin, ymax, yn, dtype='float32')
    C = X + Y[:, None]*1j
    N = np.zeros(C.shape, dtype='int')
    Z = np.zeros(C.shape, dtype='complex64')
    for n in range(maxiter):
        Z, N = step(n, C, Z, N, horizon)
    N[N == maxiter-1] = 0
    return Z, N


def cases():
    window = (-2.25, 0.75, -1.25, 1.25)
    for maxiter in (40, 203, 16, 9, 8, 7, 1, 0):
        yield "mandelbrot", (*window, 24, 17, maxiter, 2.0**40)
    yield "mandelbrot", (*window, 1, 1, 40)
    yield "mandelbrot", (*window, 0, 5, 40)
    yield "mandelbrot", (*window, 5, 4, 12, np.float64(2.0))
    yield "mandelbrot", (*window, 5, 4, 12, -1.0)
