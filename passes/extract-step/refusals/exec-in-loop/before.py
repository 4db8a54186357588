"""exec may read and write any name.

Hazards: 3.exec
"""

import numpy as np


def hidden(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for n in range(trips):
        exec("scale = n")
        x = x * 0.5
    return x


def cases():
    yield "hidden", (3, 9)
