"""Each element needs the sum of all of them."""

import numpy as np


def normalized(n: int, steps: int):
    u = np.arange(1.0, n + 1.0)
    for _ in range(steps):
        u[1:] = u[1:] * 0.5 + u[:-1] * 0.5
        u /= np.sum(u)
    return u


def cases():
    yield "normalized", (12, 5)
