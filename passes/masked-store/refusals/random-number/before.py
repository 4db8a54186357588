"""Draws a number whatever the mask selects, once.

Hazards: 3.random
"""

import numpy as np


def jitter(size: int, seed: int):
    np.random.seed(seed)
    x = np.linspace(0, 1, size)
    x[x > 0.5] = np.random.rand()
    return x, np.random.rand()


def cases():
    yield "jitter", (4, 1)
