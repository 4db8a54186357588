"""`break` between statements over arrays: the last iteration runs the first of them only.

Hazards: 3.break
"""

import numpy as np


def settle(size: int, most: int):
    x = np.linspace(1, 2, size)
    k = 0
    while True:
        x = x * 0.5
        k += 1
        if k == most:
            break
        x = x + 0.25
    return x, k


def cases():
    yield "settle", (4, 3)
    yield "settle", (4, 1)
