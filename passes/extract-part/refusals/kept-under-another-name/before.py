"""`old` is the array that another statement changes: the step would keep a copy."""

import numpy as np


def clamp(a):
    a[a > 1] = 1


def steps(size: int, trips: int):
    u = np.linspace(0, 2, size)
    old = u.copy()
    for n in range(trips):
        u = u + 0.1 * (u - old)
        u = u * 1.1
        old = u
        clamp(u)
    return u, old


def cases():
    yield "steps", (5, 4)
