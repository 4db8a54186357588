"""Weights and values of the types of a call; the inner loop runs down to the item's weight."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _knapsack_loop(weights, capacity, best, values):
    """The loop in `knapsack`."""
    for i in range(len(weights)):
        for w in range(capacity, weights[i] - 1, -1):
            best[w] = max(best[w], best[w - weights[i]] + values[i])


def knapsack(weights: npt.NDArray[np.int64], values: npt.NDArray[np.float64], capacity: int):
    best = np.zeros(capacity + 1)
    _knapsack_loop(weights, capacity, best, values)
    return best[capacity], best


def cases():
    weights, values = np.array([3, 4, 5, 9, 4]), np.array([3.0, 4.0, 4.0, 10.0, 4.0])
    for capacity in (11, 5, 2, 0):
        yield "knapsack", (weights, values, capacity)
    yield "knapsack", (weights[:0], values[:0], 4)
    yield "knapsack", (weights, values[:3], 11), IndexError
