"""A walrus binds a name in the middle of an expression.

Hazards: 3.walrus
"""

import numpy as np


def halves(size: int, trips: int):
    x = np.linspace(0, 1, size)
    half = x
    for n in range(trips):
        x = (half := x * 0.5) + half
    return x, half


def cases():
    yield "halves", (3, 9)
    yield "halves", (3, 0)
