"""The function made in the loop sees the loop variable's later values.

Hazards: 3.closures
"""

import numpy as np


def late(size: int, trips: int):
    x = np.linspace(0, 1, size)
    act = None
    for n in range(trips):
        act = lambda v: v * n
        x = x * 0.5 + act(1)
    return x, act(1) if act else None


def cases():
    yield "late", (3, 9)
