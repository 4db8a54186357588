"""Masked means of which each is taken from the data before the next is computed."""

import numpy as np

TWIN_OF = "masked_means"
ENTRY = "masked_means"
SIZES = {"small": (6, 300)}


def masked_means(data, r, lo, hi):
    res = np.empty(len(lo))
    for i in range(len(lo)):
        inside = (lo[i] <= r) & (r < hi[i])
        res[i] = data[inside].mean()
        data[inside] -= res[i]
    return res


def setup(count, n):
    rng = np.random.default_rng(44)
    lo = np.linspace(0, 0.7, count)
    return rng.standard_normal(n), rng.random(n), lo, lo + 0.3
