"""An attribute is stored at each trip; a property could do anything then.
"""

import numpy as np


class Clock:
    time = None

    def run(self, size: int, trips: int):
        x = np.linspace(0, 1, size)
        for n in range(trips):
            x = x * 0.5
            self.time = n
        return x


def tick(size: int, trips: int):
    clock = Clock()
    return clock.run(size, trips), clock.time


def cases():
    yield "tick", (3, 9)
    yield "tick", (3, 0)
