"""Gray-Scott reaction-diffusion with views of the interior (Rougier, From Python to Numpy, 4.2)."""

import numpy as np

ENTRY = "gray_scott"
SIZES = {"bench": (500, 60), "small": (18, 5)}


def gray_scott(U, V, Du, Dv, F, k, steps):
    u, v = U[1:-1, 1:-1], V[1:-1, 1:-1]
    for i in range(steps):
        Lu = U[0:-2, 1:-1] + U[1:-1, 0:-2] - 4 * U[1:-1, 1:-1] + U[1:-1, 2:] + U[2:, 1:-1]
        Lv = V[0:-2, 1:-1] + V[1:-1, 0:-2] - 4 * V[1:-1, 1:-1] + V[1:-1, 2:] + V[2:, 1:-1]
        uvv = u * v * v
        u += Du * Lu - uvv + F * (1 - u)
        v += Dv * Lv + uvv - (F + k) * v
    return U, V


def setup(n, steps):
    rng = np.random.default_rng(31)
    U, V = np.ones((n, n)), np.zeros((n, n))
    r = n // 10
    U[n // 2 - r : n // 2 + r, n // 2 - r : n // 2 + r] = 0.50
    V[n // 2 - r : n // 2 + r, n // 2 - r : n // 2 + r] = 0.25
    U += 0.05 * rng.uniform(-1, +1, (n, n))
    V += 0.05 * rng.uniform(-1, +1, (n, n))
    return U, V, 0.16, 0.08, 0.035, 0.065, steps
