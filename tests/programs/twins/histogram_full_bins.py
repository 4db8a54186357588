"""A histogram whose full bins spill into the next one: where a sample goes depends on those before it."""

import numpy as np

TWIN_OF = "histogram_scalar"
ENTRY = "histogram"
SIZES = {"small": (150, 12)}


def histogram(x, bins, limit):
    counts = np.zeros(bins, dtype=np.int64)
    for i in range(len(x)):
        b = int(x[i] * bins)
        if counts[b] >= limit:
            b = (b + 1) % bins
        counts[b] += 1
    return counts


def setup(n, bins):
    return np.random.default_rng(48).random(n), bins, n // bins
