"""The wave equation in two dimensions: leapfrog with three rotating buffers and fixed edges."""

import numpy as np

ENTRY = "wave"
SIZES = {"bench": (500, 150), "small": (16, 6)}


def wave(u_prev, u, c, dt, dx, steps):
    C2 = (c * dt / dx) ** 2
    u_next = np.zeros_like(u)
    for n in range(steps):
        u_next[1:-1, 1:-1] = (
            2 * u[1:-1, 1:-1]
            - u_prev[1:-1, 1:-1]
            + C2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        )
        u_prev, u, u_next = u, u_next, u_prev
    return u


def setup(n, steps):
    x = np.linspace(0, 1, n)
    X, Y = np.meshgrid(x, x, indexing="ij")
    u = np.exp(-100 * ((X - 0.4) ** 2 + (Y - 0.5) ** 2))
    return u.copy(), u, 1.0, 0.5 / n, 1.0 / n, steps
