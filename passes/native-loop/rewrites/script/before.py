"""A loop of a script."""

import numpy as np

SIZE = 12
levels = np.zeros(SIZE)
levels[0] = 1.0
total = 0.0
for n in range(1, SIZE):
    levels[n] = 0.9 * levels[n - 1] + 0.1 * np.floor(n / 2)
    total += levels[n]
for n in range(SIZE):
    for k in range(1, SIZE):
        levels[k] -= 0.5 * levels[k - 1]


def outcome():
    return levels, total


def cases():
    yield "outcome", ()
