"""A name for a part of the array sees what is stored into the array."""

import numpy as np


def shifted(n: int, steps: int):
    u = np.arange(n, dtype=np.float64)
    for _ in range(steps):
        left = u[:-2]
        u[1:-1] = 0.5 * u[1:-1]
        u[2:] += left
    return u


def cases():
    yield "shifted", (12, 5)
