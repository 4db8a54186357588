"""The else of a loop runs after its last trip.

Hazards: 3.else
"""

import numpy as np


def halve(size: int, trips: int):
    x = np.linspace(1, 2, size)
    for n in range(trips):
        x = x * 0.5
    else:
        x = x + 1
    return x


def cases():
    yield "halve", (4, 9)
    yield "halve", (4, 0)
