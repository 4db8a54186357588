"""A stencil that stores into the array it reads: NumPy computes all elements before it stores one."""

import numpy as np


def diffused(n: int, steps: int):
    u = np.cos(np.arange(n, dtype=np.float64))
    for _ in range(steps):
        u[1:-1] += 0.2 * (u[:-2] - 2 * u[1:-1] + u[2:])
        u[0] = u[-2]
        u[-1] = u[1]
    return u


def cases():
    for steps in (1, 3, 300):
        yield "diffused", (33, steps)
