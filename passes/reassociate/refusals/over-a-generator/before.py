"""Whether the loop has an iteration is known when the generator is asked, and not before."""

import numpy as np


def late(count):
    yield from range(count)


def total(size: int, count: int):
    x = np.full(size, -1.0)
    u = np.zeros(size)
    for t in late(count):
        u = u + t * np.sqrt(np.exp(x))
    return u


def cases():
    yield "total", (4, 3)
    yield "total", (4, 0)
