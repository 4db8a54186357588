"""A sum follows the order of memory, and a step sums a contiguous copy."""

import numpy as np


def energies(size: int, trips: int):
    u = np.linspace(0, 1, size)
    energy = np.zeros(trips)
    for n in range(trips):
        u = u * 0.9
        energy[n] = (u * u).sum()
    return energy


def cases():
    yield "energies", (4, 3)
