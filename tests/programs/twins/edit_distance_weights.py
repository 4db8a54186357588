"""Edit distance whose costs are Python integers beyond 64 bits, kept in lists."""

import numpy as np

TWIN_OF = "edit_distance"
ENTRY = "edit_distance"
SIZES = {"small": (9, 8)}


def edit_distance(a, b, unit):
    previous = [j * unit for j in range(len(b) + 1)]
    for i in range(1, len(a) + 1):
        current = [i * unit]
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else unit
            current.append(min(previous[j] + unit, current[j - 1] + unit, previous[j - 1] + cost))
        previous = current
    return previous[-1]


def setup(m, n):
    rng = np.random.default_rng(110)
    return rng.integers(97, 101, m, dtype=np.uint8), rng.integers(97, 101, n, dtype=np.uint8), 2**62
