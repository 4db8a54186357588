"""del unbinds a name at each trip.

Hazards: 3.del
"""

import numpy as np


def halve(size: int, trips: int):
    x = np.linspace(1, 2, size)
    for n in range(trips):
        y = x * 0.5
        x = y + 1
        del y
    return x


def cases():
    yield "halve", (4, 9)
