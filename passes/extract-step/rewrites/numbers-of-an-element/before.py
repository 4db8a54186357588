"""The step's size is looked up, trip by trip, in an array that the loop leaves alone."""

import numpy as np


def march(size: int, count: int):
    u = np.linspace(0, 1, size)
    sizes = np.linspace(0.5, 0.1, count)
    t = 0.0
    k = 0
    while t < 1.0:
        u = u + sizes[k] * np.cos(u)
        t = t + sizes[k]
        k += 1
    return u, t, k


def cases():
    yield "march", (4, 7)
    yield "march", (4, 40)
    yield "march", (4, 2), IndexError
