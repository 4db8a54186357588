"""A method of an object of the user's.

Hazards: 3.unknown-call
"""

import numpy as np


class Model:
    calls = 0

    def advance(self, x):
        self.calls += 1
        return x * 0.5 + self.calls


def simulate(size: int, trips: int):
    model = Model()
    x = np.linspace(0, 1, size)
    for n in range(trips):
        x = model.advance(x)
    return x, model.calls


def cases():
    yield "simulate", (3, 4)
