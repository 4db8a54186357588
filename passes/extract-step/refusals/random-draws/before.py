"""A generator's draws keep their order and their stream.

Hazards: 3.random
"""

import numpy as np


def walk(size: int, trips: int):
    rng = np.random.default_rng(1)
    x = np.zeros(size)
    for n in range(trips):
        x = x + rng.normal(size=size)
    return x, rng.normal()


def cases():
    yield "walk", (3, 4)
