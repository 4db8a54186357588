"""Left and right are selected with different masks: lanes are matched by their rank among the selected.

Hazards: 1.12
"""

import numpy as np


def move(size: int):
    A = np.zeros(size)
    B = np.arange(size) * 1.0
    even = np.arange(size) % 2 == 0
    positive = np.arange(size) >= size - size // 2
    A[positive] = B[even]
    return A


def cases():
    yield "move", (6,)
    yield "move", (5,), ValueError
    yield "move", (0,)
