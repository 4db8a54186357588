"""locals() sees every name of the function.

Hazards: 3.locals
"""

import numpy as np


def names(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for n in range(trips):
        half = x * 0.5
        x = half + n
    return x, sorted(locals())


def cases():
    yield "names", (3, 9)
    yield "names", (3, 0)
