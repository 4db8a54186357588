"""Levenshtein's distance of two sequences of bytes by the full table (Wagner and Fischer)."""

import numpy as np

ENTRY = "edit_distance"
SIZES = {"bench": (700, 600), "small": (14, 11)}


def edit_distance(a, b):
    m, n = len(a), len(b)
    d = np.zeros((m + 1, n + 1), dtype=np.int64)
    for i in range(m + 1):
        d[i, 0] = i
    for j in range(n + 1):
        d[0, j] = j
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[m, n]


def setup(m, n):
    rng = np.random.default_rng(110)
    return rng.integers(97, 101, m, dtype=np.uint8), rng.integers(97, 101, n, dtype=np.uint8)
