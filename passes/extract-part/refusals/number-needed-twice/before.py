"""A number is set between the array statements and read after the loop: it is the step's, and not only its."""

import numpy as np


def damped(size: int, trips: int):
    u = np.linspace(0, 1, size)
    seen = []
    h = 0.0
    for n in range(trips):
        u = u * 0.9
        h = 0.5 * n
        u = u + h * u
        seen.append(u.copy())
    return seen, h


def cases():
    yield "damped", (4, 3)
