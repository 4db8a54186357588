"""Every trip's array is kept in a list.
"""

import numpy as np


def trace(size: int, trips: int):
    x = np.linspace(0, 1, size)
    history = []
    for n in range(trips):
        x = x * 0.5
        history.append(x)
    return history


def cases():
    yield "trace", (3, 9)
