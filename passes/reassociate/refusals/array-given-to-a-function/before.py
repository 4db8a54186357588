"""The function changes the array that it is given."""

import numpy as np


def moved(x):
    x += 0.5


def total(size: int, steps: int):
    x = np.linspace(0.0, 1.0, size)
    u = np.zeros(size)
    for n in range(steps):
        u = u + np.exp(-x)
        moved(x)
    return u


def cases():
    yield "total", (5, 3)
