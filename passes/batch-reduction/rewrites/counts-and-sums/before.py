"""A mask that is bound to a name, for several reductions, with data that has no value in places."""

import numpy as np


def spectrum(n: int, m: int, width: float):
    power = np.sin(np.arange(n, dtype=np.float64)) ** 2
    power[::7] = np.nan
    k = np.abs(np.cos(np.arange(n, dtype=np.float64)))
    total, count = np.zeros(m), np.zeros(m, dtype=np.int64)
    for i in range(m):
        inside = (np.abs(k - i * width) < 0.5 * width) & (power == power)  # not a number is left out
        if inside.sum() > 2:
            total[i] = power[inside].sum()
            count[i] = inside.sum()
    return total, count


def cases():
    for n, m, width in ((50, 6, 0.2), (3, 4, 0.5), (0, 2, 0.5), (20_000, 7, 0.1), (50, 3, np.nan)):
        yield "spectrum", (n, m, width)
