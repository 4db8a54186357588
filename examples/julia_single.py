"""A filled Julia set of z**2 + c in single precision; see julia.py."""

import numpy as np


def julia(size, extent, maxiter, c=-0.8 + 0.156j, horizon=2.0):
    x = np.linspace(-extent, extent, size, dtype="float32")
    Z = x + x[:, None] * 1j
    N = np.zeros(Z.shape, dtype=int)
    for n in range(maxiter):
        M = np.abs(Z) < horizon
        N[M] = n
        Z[M] = Z[M] ** 2 + c
    return Z, N


def main():
    Z, N = julia(900, 1.6, 300)
    print("sum of escape times:", N.sum())


if __name__ == "__main__":
    main()
