"""A random search that keeps the best point: None until one is found."""

import numpy as np


def search(steps: int, seed: int):
    rng = np.random.default_rng(seed)
    x, best, least = np.zeros(4), None, np.inf
    for _ in range(steps):
        y = x + 0.1 * rng.normal(size=4)
        value = np.sum((y - 1) ** 2)
        if best is None or value < least:
            best, least = y.copy(), value
            x = best
    return best, least


def cases():
    yield "search", (50, 1)
    yield "search", (1, 2)
    yield "search", (0, 3)
