"""A Python float is carried from trip to trip, and its sum rounds at each.

Hazards: 3.python-integers
"""

import numpy as np


def integrate(size: int, trips: int, dt: float):
    x = np.linspace(0, 1, size)
    t = 0.0
    for n in range(trips):
        x = x + dt * t
        t += dt
    return x, t


def cases():
    yield "integrate", (3, 9, 0.1)
    yield "integrate", (3, 0, 0.1)
