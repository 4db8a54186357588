"""Of no elements the first one is asked for, which raises, before the largest of them."""

import numpy as np


def sorted_sums(size: int, steps: int):
    x = np.linspace(0.0, 1.0, size)
    u = np.ones(size)
    for n in range(steps):
        u = np.sort(u)
        u[0] = n
        u = np.sort(u + x.max())
    return u


def cases():
    yield "sorted_sums", (3, 2)
    yield "sorted_sums", (0, 0)
    yield "sorted_sums", (0, 2), IndexError
