"""Every operation needs the complex array itself, which torch.compile does not fuse."""

import numpy as np


def roots(size: int, trips: int):
    z = np.linspace(0, 1, size) + 1j
    kept = []
    for n in range(trips):
        z = np.sqrt(np.sqrt(z))
        if n % 2:
            kept.append(z)
    return z, kept


def cases():
    yield "roots", (4, 3)
