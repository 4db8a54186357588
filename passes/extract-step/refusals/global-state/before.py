"""The state is a global array.

Hazards: 1.2
"""

import numpy as np

GRID = np.zeros(10_000)


def run(trips: int):
    GRID[...] = 0
    for n in range(trips):
        GRID[...] = GRID * 0.5 + n
    return GRID.copy()


def cases():
    yield "run", (9,)
