"""Euler's method on Lotka and Volterra's equations, `u + dt * f(u)` with f a lambda made in the function."""

import numpy as np

ENTRY = "predators"
SIZES = {"bench": (80_000, 80), "small": (15, 9)}


def predators(u, alpha, beta, gamma, delta, dt, steps):
    f = lambda u: np.stack([u[0] * (alpha - beta * u[1]), u[1] * (delta * u[0] - gamma)])
    for _ in range(steps):
        u = u + dt * f(u)
    return u


def setup(n, steps):
    u = np.random.default_rng(66).uniform(0.5, 2.0, (2, n))
    return u, 1.1, 0.4, 0.4, 0.1, 0.01, steps
