"""Gray-Scott reaction-diffusion on the fields of one structured array, with helper functions."""

import numpy as np

ENTRY = "simulate"
SIZES = {"bench": (300, 60), "small": (15, 4)}


def laplacian(Z):
    return Z[:-2, 1:-1] + Z[2:, 1:-1] + Z[1:-1, :-2] + Z[1:-1, 2:] - 4 * Z[1:-1, 1:-1]


def simulate(W, steps, Du=0.14, Dv=0.06, F=0.035, k=0.065):
    U, V = W["U"], W["V"]
    u, v = U[1:-1, 1:-1], V[1:-1, 1:-1]
    for _ in range(steps):
        Lu = laplacian(U)
        Lv = laplacian(V)
        uvv = u * v**2
        u += Du * Lu - uvv + F * (1 - u)
        v += Dv * Lv + uvv - (F + k) * v
    return V.max()


def setup(n, steps):
    W = np.zeros((n, n), [("U", np.double), ("V", np.double)])
    W["U"][...] = 1.0
    r = n // 8
    W["U"][n // 2 - r : n // 2 + r, n // 2 - r : n // 2 + r] = 0.50
    W["V"][n // 2 - r : n // 2 + r, n // 2 - r : n // 2 + r] = 0.25
    W["V"] += 0.02 * np.random.default_rng(32).random((n, n))
    return W, steps
