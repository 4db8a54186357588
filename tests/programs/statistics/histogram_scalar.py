"""Histogram with a loop over the samples, a sample outside of the range dropped."""

import numpy as np

ENTRY = "histogram"
SIZES = {"bench": (400_000, 50), "small": (200, 7)}


def histogram(x, bins, lo, hi):
    counts = np.zeros(bins, dtype=np.int64)
    width = (hi - lo) / bins
    for i in range(len(x)):
        if lo <= x[i] < hi:
            b = int((x[i] - lo) / width)
            if b == bins:
                b -= 1
            counts[b] += 1
    return counts


def setup(n, bins):
    return np.random.default_rng(73).standard_normal(n), bins, -3.0, 3.0
