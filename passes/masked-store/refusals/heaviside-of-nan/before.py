"""np.heaviside of nan is nan; compiled it would be 0: it stays in NumPy."""

import numpy as np


def level(size: int):
    x = np.linspace(-1, 1, size)
    m = x < 0
    x[m] = np.heaviside(x[m], 0.5)
    return x


def cases():
    yield "level", (5,)
