"""A knapsack with a negative weight: the index passes the end of the row, and NumPy raises."""

import numpy as np

TWIN_OF = "knapsack"
ENTRY = "knapsack"
SIZES = {"small": (30,)}


def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, dtype=np.int64)
    for i in range(len(weights)):
        w = weights[i]
        v = values[i]
        for c in range(capacity, w - 1, -1):
            if best[c - w] + v > best[c]:
                best[c] = best[c - w] + v
    return best[capacity]


def setup(capacity):
    return np.array([3, 5, -2, 4]), np.array([4, 5, 1, 7]), capacity
