"""An attribute may be a property, and any call may rebind it.

Hazards: 1.2
"""

import numpy as np


class Field:
    def __init__(self, size: int):
        self.grid = np.arange(size) * 1.0

    def cap(self):
        self.grid[self.grid > 1] = 1.0
        return self.grid


def cap(size: int):
    return Field(size).cap()


def cases():
    yield "cap", (4,)
    yield "cap", (0,)
