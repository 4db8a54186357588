"""Pi by throwing points, with a generator that is handed in, batch after batch."""

import numpy as np

ENTRY = "estimate_pi"
SIZES = {"bench": (500_000, 10), "small": (100, 4)}


def estimate_pi(rng, n, batches):
    hits = 0
    estimates = []
    for batch in range(1, batches + 1):
        x = rng.random(n)
        y = rng.random(n)
        hits += np.count_nonzero(x * x + y * y <= 1.0)
        estimates.append(4 * hits / (batch * n))
    return estimates


def setup(n, batches):
    return np.random.default_rng(77), n, batches
