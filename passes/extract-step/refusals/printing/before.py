"""What is printed keeps its order and number.

Hazards: 3.input-output
"""

import numpy as np


def traced(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for n in range(trips):
        print(n, x.sum())
        x = x * 0.5
    return x


def cases():
    yield "traced", (3, 4)
