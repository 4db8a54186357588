"""Burgers' equation in two dimensions, both velocities, with `np.empty` and time as the loop's bound."""

import numpy as np

ENTRY = "burgers"
SIZES = {"bench": (300, 40), "small": (12, 4)}


def burgers(u, v, nu, dx, dt, T):
    t = 0.0
    while t < T:
        un = u.copy()
        vn = v.copy()
        c, cv = un[1:-1, 1:-1], vn[1:-1, 1:-1]
        u[1:-1, 1:-1] = (
            c
            - dt / dx * c * (c - un[1:-1, :-2])
            - dt / dx * cv * (c - un[:-2, 1:-1])
            + nu * dt / dx**2 * (un[1:-1, 2:] + un[1:-1, :-2] + un[2:, 1:-1] + un[:-2, 1:-1] - 4 * c)
        )
        v[1:-1, 1:-1] = (
            cv
            - dt / dx * c * (cv - vn[1:-1, :-2])
            - dt / dx * cv * (cv - vn[:-2, 1:-1])
            + nu * dt / dx**2 * (vn[1:-1, 2:] + vn[1:-1, :-2] + vn[2:, 1:-1] + vn[:-2, 1:-1] - 4 * cv)
        )
        u[0, :] = u[-1, :] = u[:, 0] = u[:, -1] = 1
        v[0, :] = v[-1, :] = v[:, 0] = v[:, -1] = 1
        t += dt
    return u, v


def setup(n, steps):
    dx = 2 / (n - 1)
    u, v = np.ones((n, n)), np.ones((n, n))
    u[n // 4 : n // 2, n // 4 : n // 2] = 2
    v[n // 4 : n // 2, n // 4 : n // 2] = 2
    nu = 0.01
    dt = 0.2 * dx * dx / (nu + dx)
    return u, v, nu, dx, dt, (steps - 0.5) * dt
