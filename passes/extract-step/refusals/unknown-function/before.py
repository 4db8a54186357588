"""A function that keeps what it is given sees every array of the loop.

Hazards: 3.unknown-call
"""

import numpy as np

SEEN = []


def probe(x):
    SEEN.append(x)
    return len(SEEN)


def watched(size: int, trips: int):
    SEEN.clear()
    x = np.linspace(0, 1, size)
    for n in range(trips):
        x = x * 0.5 + probe(x)
    return x, list(SEEN)


def cases():
    yield "watched", (3, 4)
