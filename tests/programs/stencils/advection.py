"""Advection and diffusion on a periodic interval: `u = u + dt * f(u)` with `np.roll` in a helper."""

import numpy as np

ENTRY = "advect"
SIZES = {"bench": (40_000, 300), "small": (50, 9)}


def rhs(u, c, nu, dx):
    upwind = (u - np.roll(u, 1)) / dx
    diffusion = (np.roll(u, -1) - 2 * u + np.roll(u, 1)) / dx**2
    return -c * upwind + nu * diffusion


def advect(u, c, nu, dx, dt, steps):
    for _ in range(steps):
        u = u + dt * rhs(u, c, nu, dx)
    return u


def setup(n, steps):
    x = np.linspace(0, 1, n, endpoint=False)
    dx = 1 / n
    return np.exp(-200 * (x - 0.3) ** 2), 1.0, 0.2 * dx, dx, 0.4 * dx, steps
