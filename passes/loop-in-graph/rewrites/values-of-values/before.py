"""A statement that reads nothing but values of its lane."""

import numpy as np


def bent(n: int, steps: int):
    u = np.arange(n, dtype=np.float64)
    for _ in range(steps):
        slope = u[1:] - u[:-1]
        bend = np.sin(slope)
        u[1:] = u[1:] - 0.01 * bend
    return u


def cases():
    yield "bent", (12, 5)
