"""The 0-1 knapsack with a whole row of the table a trip."""

import numpy as np

ENTRY = "knapsack"
SIZES = {"bench": (300, 60_000), "small": (7, 50)}


def knapsack(weights, values, capacity):
    table = np.zeros((len(weights) + 1, capacity + 1), dtype=np.int64)
    for i in range(1, len(weights) + 1):
        w, v = weights[i - 1], values[i - 1]
        table[i] = table[i - 1]
        table[i, w:] = np.maximum(table[i - 1, w:], table[i - 1, : capacity + 1 - w] + v)
    return table[-1, -1]


def setup(items, capacity):
    rng = np.random.default_rng(113)
    return rng.integers(1, capacity // 4, items), rng.integers(1, 1000, items), capacity
