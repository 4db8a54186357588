"""continue leaves out the rest of a trip.

Hazards: 3.continue
"""

import numpy as np


def alternate(size: int, trips: int):
    x = np.linspace(1, 2, size)
    for n in range(trips):
        if n % 2:
            continue
        x = x * 0.5
    return x


def cases():
    yield "alternate", (4, 9)
