"""The trip changes the arrays before it chooses the step from them: the trip before does not know it."""

import numpy as np


def steepen(size: int, end: float):
    u = 1.5 + np.sin(np.linspace(0, 6, size))
    t = 0.0
    while t < end:
        u[0] = t
        top = np.abs(u).max()
        h = 0.1 if top > 2.0 else 0.25
        u = u - h * u * (u - np.roll(u, 1))
        t += h
    return u, t


def cases():
    yield "steepen", (8, 1.0)
