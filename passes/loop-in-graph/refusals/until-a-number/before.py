"""An element of the array decides whether another iteration follows: it is asked for after each."""

import numpy as np


def heated(n: int, limit: float):
    u = np.zeros(n)
    u[0] = 1.0
    last = 0.0
    while last < limit:
        u[1:-1] = 0.5 * (u[:-2] + u[2:])
        u[-1] = u[-2]
        last = u[-1]
    return u


def cases():
    yield "heated", (12, 0.1)
