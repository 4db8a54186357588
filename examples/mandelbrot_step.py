"""The Mandelbrot set with the loop body in a function of its own, as the tutorial extracts it.

After N. P. Rougier, "From Python to Numpy", chapter 4.3, https://www.labri.fr/perso/nrougier/from-python-to-numpy/.
"""

import numpy as np


def step(n, C, Z, N, horizon):
    I = np.abs(Z) < horizon
    N[I] = n
    Z[I] = Z[I] ** 2 + C[I]
    return Z, N


def mandelbrot(xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon=2.0):
    X = np.linspace(xmin, xmax, xn, dtype="float32")
    Y = np.linspace(ymin, ymax, yn, dtype="float32")
    C = X + Y[:, None] * 1j
    N = np.zeros(C.shape, dtype="int")
    Z = np.zeros(C.shape, dtype="complex64")
    for n in range(maxiter):
        Z, N = step(n, C, Z, N, horizon)
    N[N == maxiter - 1] = 0
    return Z, N


def main():
    Z, N = mandelbrot(-2.25, 0.75, -1.25, 1.25, 1000, 833, 200, 2.0**40)
    print("sum of escape times:", N.sum())


if __name__ == "__main__":
    main()
