"""break ends the loop when the data say so.

Hazards: 3.break
"""

import numpy as np


def settle(size: int, trips: int):
    x = np.linspace(1, 2, size)
    for n in range(trips):
        x = x * 0.5
        if x.max() < 0.1:
            break
    return x, n


def cases():
    yield "settle", (4, 20)
