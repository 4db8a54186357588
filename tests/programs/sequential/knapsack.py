"""The 0-1 knapsack by dynamic programming over one row, capacities downwards."""

import numpy as np

ENTRY = "knapsack"
SIZES = {"bench": (100, 5000), "small": (6, 40)}


def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, dtype=np.int64)
    for i in range(len(weights)):
        w = weights[i]
        v = values[i]
        for c in range(capacity, w - 1, -1):
            if best[c - w] + v > best[c]:
                best[c] = best[c - w] + v
    return best[capacity]


def setup(items, capacity):
    rng = np.random.default_rng(112)
    return rng.integers(1, capacity // 4, items), rng.integers(1, 1000, items), capacity
