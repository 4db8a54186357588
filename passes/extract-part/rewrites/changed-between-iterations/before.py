"""The other statements may change the step's arrays, by name, through a view, or in a function."""

import numpy as np


def clamp(a):
    np.clip(a, -0.5, 0.5, out=a)


def pushed(size: int, trips: int, place: int):
    u = np.linspace(-1, 1, size)
    v = np.zeros(size)
    head = u[:2]
    for n in range(trips):
        v = v - 0.1 * u
        u += 0.1 * v
        u *= 1.01
        clamp(v)
        u[place] = n
        head += 1.0
    return u, v, head


def kicked(size: int, trips: int):
    force = np.ones(size)
    x = np.zeros(size)
    for n in range(trips):
        force[n % size] = -force[n % size]
        x = 0.9 * x + 0.1 * force
        x = x - 0.01 * x**3
    return x, force


def cases():
    for trips in (7, 2, 1, 0):
        yield "pushed", (5, trips, 1)
        yield "kicked", (3, trips)
    yield "pushed", (5, 3, 9), IndexError
