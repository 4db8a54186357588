"""How many elements a condition selects is read from the array; what its shape is, is not."""

import numpy as np


def counted(size: int, trips: int):
    u = np.linspace(-1, 1, size)
    counts = np.zeros(size, dtype=np.int16)
    for n in range(trips):
        u += 0.2 * np.sin(3 * u) * u
        u *= 0.9
        many = counts[u <= 0.3].size
        counts[n % size] = many + u[1:].size
    return u, counts


def cases():
    for trips in (7, 1, 0):
        yield "counted", (6, trips)
