"""Two loops in a function, the same names in another function, a method, a nested function: each step has its own name."""

import numpy as np


def climb(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for n in range(trips):
        x = x * 0.5 + n
    y = np.sqrt(x)
    for n in range(trips):
        y = y * 0.5 + x
    return x, y


class Runner:
    scale = 0.25

    def climb(self, size: int, trips: int):
        x = np.linspace(0, 1, size)
        for n in range(trips):
            x = x * 0.75 + n
        return x


def nested(size: int, trips: int):
    def climb(limit: int):
        x = np.linspace(0, 1, size)
        for n in range(limit):
            x = x - n
        return x

    return climb(trips), climb(trips + 1)


def run(size: int, trips: int):
    return climb(size, trips), Runner().climb(size, trips), nested(size, trips)


def cases():
    for trips in (9, 8, 1, 0):
        yield "run", (5, trips)
    yield "run", (0, 9)
