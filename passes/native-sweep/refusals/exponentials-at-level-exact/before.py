"""Libraries round exponentials in their own ways."""

import numpy as np


def decay(n: int, m: int):
    y = np.ones((n, m))
    for j in range(1, m):
        y[:, j] = np.exp(-y[:, j - 1])
    return y


def cases():
    yield "decay", (3, 4)
