"""Gray-Scott in which v's reaction uses the u of this step, through a view of U."""

import numpy as np

TWIN_OF = "gray_scott"
ENTRY = "react"
SIZES = {"small": (14, 5)}


def react(U, V, Du, Dv, F, k, steps):
    u, v = U[1:-1, 1:-1], V[1:-1, 1:-1]
    for i in range(steps):
        Lu = U[0:-2, 1:-1] + U[2:, 1:-1] + U[1:-1, 0:-2] + U[1:-1, 2:] - 4 * u
        u += Du * Lu - u * v * v + F * (1 - u)
        Lv = V[0:-2, 1:-1] + V[2:, 1:-1] + V[1:-1, 0:-2] + V[1:-1, 2:] - 4 * v
        v += Dv * Lv + U[1:-1, 1:-1] * v * v - (F + k) * v
        U[0, :] = U[1, :]
    return U, V


def setup(n, steps):
    rng = np.random.default_rng(33)
    return rng.random((n, n)), 0.3 * rng.random((n, n)), 0.16, 0.08, 0.035, 0.065, steps
