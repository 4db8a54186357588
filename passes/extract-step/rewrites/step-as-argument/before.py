"""The iteration is a function that the caller passes; a guard sees that it is the one which the step is made of."""

import numpy as np


def advance(n, C, Z, N, horizon):
    I = np.abs(Z) < horizon
    N[I] = n
    Z[I] = Z[I] ** 2 + C[I]
    return Z, N


def backwards(n, C, Z, N, horizon):
    Z, N = advance(n, C, Z, N, horizon)
    N[...] = -N
    return Z, N


def mandelbrot(size: int, maxiter: int, step, horizon: float = 2.0):
    X = np.linspace(-2.25, 0.75, size, dtype="float32")
    Y = np.linspace(-1.25, 1.25, size - 2, dtype="float32")
    C = X + Y[:, None] * 1j
    N = np.zeros(C.shape, dtype="int")
    Z = np.zeros(C.shape, dtype="complex64")
    for n in range(maxiter):
        Z, N = step(n, C, Z, N, horizon)
    N[N == maxiter - 1] = 0
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
