"""A name with two leading underscores means another name inside a class than at module level.

Hazards: 3.mangling
"""

import numpy as np

_Slow__rate = 0.5
__rate = 7.0


class Slow:
    def run(self, size: int, trips: int):
        x = np.linspace(0, 1, size)
        for n in range(trips):
            x = x * __rate
        return x


def run(size: int, trips: int):
    return Slow().run(size, trips)


def cases():
    yield "run", (3, 9)
