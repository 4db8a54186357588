"""The Mandelbrot set in double precision, for views too deep for float32 coordinates.

After N. P. Rougier, "From Python to Numpy", chapter 4.3, https://www.labri.fr/perso/nrougier/from-python-to-numpy/.
"""

import numpy as np


def mandelbrot(xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon=2.0):
    X = np.linspace(xmin, xmax, xn)
    Y = np.linspace(ymin, ymax, yn)
    C = X + Y[:, None] * 1j
    N = np.zeros(C.shape, dtype=int)
    Z = np.zeros(C.shape, dtype="complex128")
    for n in range(maxiter):
        I = np.less(abs(Z), horizon)
        N[I] = n
        Z[I] = Z[I] ** 2 + C[I]
    N[N == maxiter - 1] = 0
    return Z, N


def main():
    Z, N = mandelbrot(-0.7488, -0.7479, 0.0664, 0.0673, 800, 800, 500)
    print("sum of escape times:", N.sum())


if __name__ == "__main__":
    main()
