"""Functions made before the loop read the loop variable after it, one as a closure, one as a global.

Hazards: 3.closures
"""

import numpy as np

n = None


def latest():
    return n


def peek(size: int, trips: int):
    x = np.linspace(0, 1, size)

    def now():
        return n

    for n in range(trips):
        x = x * 0.5 + n
    return x, now(), latest()


def shared(size: int, trips: int):
    global n
    n = None
    x = np.linspace(0, 1, size)
    for n in range(trips):
        x = x * 0.5
    return x, n, latest()


def cases():
    for trips in (203, 9, 8, 1):
        yield "peek", (3, trips)
        yield "shared", (3, trips)
    yield "peek", (3, 0), NameError
    yield "shared", (3, 0)
