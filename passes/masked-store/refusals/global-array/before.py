"""Other code may bind the global to something else; a rebinding inside the function would miss it.

Hazards: 1.2
"""

import numpy as np

GRID = np.zeros(5)


def cap(value: float):
    GRID[...] = value
    GRID[GRID > 1] = 1.0
    return GRID.copy()


def cases():
    yield "cap", (3.0,)
    yield "cap", (-3.0,)
