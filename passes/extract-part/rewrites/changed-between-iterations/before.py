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


def tallied(size: int, trips: int):
    # The array in whose elements a number is stored is itself changed by the step.
    u = np.linspace(-1, 1, size)
    tally = np.zeros(size)
    for n in range(trips):
        u[1:] = 0.5 * u[:-1] + 0.25
        tally[-1] = 2.0
        tally[n] = n
    return u, tally


def tallied_sums(size: int, trips: int):
    u = np.linspace(-1, 1, size)
    tally = np.zeros(size)
    for n in range(trips):
        u[1:] = 0.5 * u[:-1] + 0.25
        tally[-1] = 2.0
        tally[n] = (u * u).sum()
    return u, tally


def cases():
    for trips in (7, 2, 1, 0):
        yield "pushed", (5, trips, 1)
        yield "kicked", (3, trips)
        yield "tallied", (8, trips)
        yield "tallied_sums", (8, trips)
    yield "pushed", (5, 3, 9), IndexError
