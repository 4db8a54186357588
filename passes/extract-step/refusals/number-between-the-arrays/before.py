"""Half of a step is taken at one time and half at another: the generator gives numbers once an iteration.

Hazards: 3.python-integers
"""

import numpy as np


def split(size: int, end: float, dt: float):
    x = np.linspace(0, 1, size)
    t = 0.0
    while t < end:
        x = x + dt * t
        t += dt / 2
        x = x * (1 + t)
        t += dt / 2
    return x, t


def cases():
    yield "split", (3, 1.0, 0.25)
