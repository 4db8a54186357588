"""The state lives in attributes, which a property or another method could change.

Hazards: 1.2
"""

from contextlib import ContextDecorator

import numpy as np


class Field(ContextDecorator):
    def __init__(self, size: int):
        self.Z = np.zeros(size)
        self.C = np.linspace(0, 1, size)

    def run(self, trips: int):
        for n in range(trips):
            self.Z[...] = self.Z * 0.5 + self.C
        return self.Z


def run(size: int, trips: int):
    return Field(size).run(trips)


def cases():
    yield "run", (3, 9)
