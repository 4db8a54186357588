"""The global generator is seen by everything in the process.

Hazards: 3.random
"""

import numpy as np


def shrink(size: int, trips: int):
    np.random.seed(3)
    x = np.ones(size)
    for n in range(trips):
        x = x * np.random.rand(size)
    return x, np.random.rand()


def cases():
    yield "shrink", (3, 4)
