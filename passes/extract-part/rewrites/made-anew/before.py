"""Arrays that other statements make anew in each iteration are given to the step with it."""

import numpy as np


def langevin(size: int, trips: int, dt: float):
    rng = np.random.default_rng(3)
    x = np.zeros(size)
    v = np.ones(size)
    spread = np.empty(trips)
    for k in range(trips):
        noise = rng.standard_normal(size)
        v = v + dt * (-x - 0.5 * v) + 0.1 * noise
        x = x + dt * v
        spread[k] = np.mean(x**2)
    return x, v, spread


def ranked(size: int, trips: int):
    u = np.cos(np.arange(size) * 2.0)
    for n in range(trips):
        w = np.sort(u)
        u = u + 0.1 * (w - u)
        u = u - 0.05 * w
    return u, w


def shrinking(size: int, trips: int):
    u = np.linspace(0.0, 1.0, size)
    for n in range(trips):
        # The last ones are one number for all.
        w = np.full(size if n < 3 else 1, 0.5 * n)
        u[...] = u + 0.1 * w * u
        u -= 0.05 * w
        if n == 1:
            u[0] = 2.0
    return u


def cases():
    for trips in (5, 2, 0):
        yield "langevin", (7, trips, 0.1)
        yield "shrinking", (6, trips)
    yield "ranked", (5, 4)
    yield "ranked", (5, 0), UnboundLocalError
