"""Mandelbrot's set by a masked iteration (Rougier, From Python to Numpy, 4.3)."""

import numpy as np

ENTRY = "mandelbrot"
SIZES = {"bench": (1000, 833, 200), "small": (40, 33, 30)}


def mandelbrot(xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon=2.0):
    X = np.linspace(xmin, xmax, xn, dtype=np.float32)
    Y = np.linspace(ymin, ymax, yn, dtype=np.float32)
    C = X + Y[:, None] * 1j
    N = np.zeros(C.shape, dtype=int)
    Z = np.zeros(C.shape, np.complex64)
    for n in range(maxiter):
        I = np.less(abs(Z), horizon)
        N[I] = n
        Z[I] = Z[I] ** 2 + C[I]
    N[N == maxiter - 1] = 0
    return Z, N


def setup(xn, yn, maxiter):
    return -2.25, 0.75, -1.25, 1.25, xn, yn, maxiter
