"""np.sign of nan is nan; compiled it would be 0."""

import numpy as np


def level(size: int):
    x = np.linspace(-1, 1, size)
    m = x < 0
    x[m] = np.sign(x[m])
    return x


def cases():
    yield "level", (5,)
