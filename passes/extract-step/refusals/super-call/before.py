"""super() without arguments works only inside of the class.

Hazards: 3.super
"""

import numpy as np


class Base:
    rate = 0.5


class Fast(Base):
    rate = 2.0

    def run(self, size: int, trips: int):
        x = np.linspace(0, 1, size)
        for n in range(trips):
            x = x + super().rate
        return x


def run(size: int, trips: int):
    return Fast().run(size, trips)


def cases():
    yield "run", (3, 9)
