"""The arrays wait for a step that Python chooses from what they were: each trip gives it to the next one.

Hazards: 3.python-integers
"""

import numpy as np


def steepen(size: int, end: float):
    u = 1.5 + np.sin(np.linspace(0, 6, size))
    t = 0.0
    while t < end:
        top = np.abs(u).max()
        h = 0.1 if top > 2.0 else 0.25
        u = u - h * u * (u - np.roll(u, 1))
        t += h
    return u, t


def advect(size: int, end: float, cfl: float):
    u = np.sin(np.linspace(0, 6, size))
    t = 0.0
    trips = 0
    while t < end:
        speed = np.sqrt(u * u + 1.0)
        dt = min(cfl / float(speed.max()), end - t)
        u[1:-1] -= dt * (u[2:] - u[:-2])
        t += dt
        trips += 1
    return u, t, trips


def fall(size: int, end: float, cfl: float):
    h = np.linspace(1, 2, size)
    t = 0.0
    dt = 0.0
    while t < end:
        dt = min(cfl / np.max(h), end - t)
        h = h * (1 - dt)
        t += dt
    return h, t, dt


def cases():
    yield "steepen", (8, 1.0)
    yield "steepen", (8, 0.0)
    yield "steepen", (0, 0.0)
    yield "advect", (9, 1.0, 0.3)
    yield "advect", (9, 0.1, 0.3)
    yield "advect", (9, 0.0, 0.3)
    yield "fall", (5, 1.0, 0.5)
    yield "fall", (5, 0.1, 0.5)
    yield "fall", (5, -1.0, 0.5)
    yield "fall", (0, 1.0, 0.5), ValueError
