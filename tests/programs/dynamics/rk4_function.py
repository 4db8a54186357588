"""Runge and Kutta's method with the right-hand side as an argument, on many Lorenz systems at once."""

import numpy as np

ENTRY = "rk4"
SIZES = {"bench": (20_000, 40), "small": (12, 8)}


def lorenz(t, u, sigma=10.0, rho=28.0, beta=8.0 / 3.0):
    x, y, z = u
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def rk4(f, u, t0, t1, n):
    h = (t1 - t0) / n
    t = t0
    for i in range(n):
        k1 = f(t, u)
        k2 = f(t + h / 2, u + h / 2 * k1)
        k3 = f(t + h / 2, u + h / 2 * k2)
        k4 = f(t + h, u + h * k3)
        u = u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t = t0 + (i + 1) * h
    return u


def setup(systems, steps):
    u = 1.0 + np.random.default_rng(64).random((3, systems))
    return lorenz, u, 0.0, 0.01 * steps, steps
