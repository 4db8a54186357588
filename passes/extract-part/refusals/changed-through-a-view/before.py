"""An array that is drawn anew in each iteration, and that the step changes through a view of it."""

import numpy as np


def relaxed(size: int, trips: int):
    rng = np.random.default_rng(3)
    u = np.linspace(0, 1, size)
    x = np.zeros(size)
    for n in range(trips):
        x = rng.standard_normal(size)
        part = x[:]
        part += x[:] * 0.5
        u[u > 0.5] = 0.25
        u += 0.1 * np.sin(x) * x
    return u, x


def cases():
    for trips in (5, 1, 0):
        yield "relaxed", (6, trips)
