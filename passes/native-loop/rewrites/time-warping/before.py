"""The least of three numbers that are put into a list for it; one of a series is not a number."""

import numpy as np


def time_warping(n: int, m: int, missing: int):
    x = np.sin(np.arange(n) ** 2.0)
    y = np.cos(np.arange(m) ** 1.5)
    x[missing:] = np.nan
    total = np.full((n + 1, m + 1), np.inf)
    total[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            before = np.min([total[i - 1, j], total[i, j - 1], total[i - 1, j - 1]])
            total[i, j] = abs(x[i - 1] - y[j - 1]) + before
    return total


def cases():
    for n, m, missing in ((6, 5, 6), (1, 1, 1), (0, 3, 0), (7, 6, 4)):
        yield "time_warping", (n, m, missing)
