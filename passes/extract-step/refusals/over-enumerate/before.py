"""enumerate gives two names at each trip."""

import numpy as np


def weighted(size: int, weights: list):
    x = np.zeros(size)
    for n, v in enumerate(weights):
        x = x * v + n
    return x


def cases():
    yield "weighted", (3, [0.5, 0.25, 2.0])
    yield "weighted", (3, [])
