"""What was stored before the exception stays stored.

Hazards: 3.exception
"""

import numpy as np


def attempt(size: int, trips: int):
    x = np.linspace(0, 2, size)
    for n in range(trips):
        try:
            x -= 1
            with np.errstate(all="raise"):
                x /= x
        except FloatingPointError:
            x += 3
    return x


def cases():
    yield "attempt", (5, 3)
