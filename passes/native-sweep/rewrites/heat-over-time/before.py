"""A table of all time steps: each row from the neighbours in the row before, and walls that follow the inside."""

import numpy as np


def heat(steps: int, n: int, r: float):
    u = np.zeros((steps, n))
    u[0] = np.sin(np.arange(n, dtype=np.float64))
    for t in range(steps - 1):
        u[t + 1, 1:-1] = u[t, 1:-1] + r * (u[t, 2:] - 2.0 * u[t, 1:-1] + u[t, :-2])
        u[t + 1, 0] = u[t + 1, 1]
    return u


def cases():
    for steps, n in ((12, 20), (2, 3), (1, 4), (3, 2)):
        yield "heat", (steps, n, 0.2)
    yield "heat", (3, 1, 0.2), IndexError
    yield "heat", (0, 5, 0.2), IndexError
