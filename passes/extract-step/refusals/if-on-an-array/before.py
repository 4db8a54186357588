"""Which arm runs depends on the data of that trip."""

import numpy as np


def bounce(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for n in range(trips):
        if x.mean() > 1:
            x = x * 0.5
        x = x + 0.25
    return x


def cases():
    yield "bounce", (3, 9)
