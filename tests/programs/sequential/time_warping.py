"""Dynamic time warping of two series: the table of costs by rows, then the cheapest way through it."""

import numpy as np

ENTRY = "time_warping"
SIZES = {"bench": (350, 300), "small": (13, 11)}


def time_warping(x, y):
    n, m = len(x), len(y)
    cost = np.zeros((n, m))
    for i in range(n):
        cost[i, :] = np.abs(x[i] - y)
    total = np.full((n + 1, m + 1), np.inf)
    total[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            total[i, j] = cost[i - 1, j - 1] + np.min([total[i - 1, j], total[i, j - 1], total[i - 1, j - 1]])
    return total[n, m]


def setup(n, m):
    rng = np.random.default_rng(88)
    return np.cumsum(rng.standard_normal(n)), np.cumsum(rng.standard_normal(m))
