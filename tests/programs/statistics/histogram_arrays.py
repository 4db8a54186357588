"""Histogram in array code: bin numbers, `np.bincount`, and the density."""

import numpy as np

ENTRY = "density"
SIZES = {"bench": (3_000_000, 200), "small": (300, 9)}


def density(x, bins, lo, hi):
    width = (hi - lo) / bins
    index = np.floor((x - lo) / width).astype(int)
    inside = (index >= 0) & (index < bins)
    counts = np.bincount(index[inside], minlength=bins)
    centers = lo + width * (np.arange(bins) + 0.5)
    return centers, counts / (counts.sum() * width)


def setup(n, bins):
    return np.random.default_rng(74).standard_normal(n), bins, -4.0, 4.0
