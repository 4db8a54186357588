"""The array's name belongs to the enclosing function.

Hazards: 3.closures, 1.2
"""

import numpy as np


def outer(size: int, trips: int):
    x = np.linspace(0, 1, size)

    def advance():
        nonlocal x
        for n in range(trips):
            x = np.sqrt(x) * 0.5 + n

    advance()
    return x


def cases():
    yield "outer", (3, 9)
