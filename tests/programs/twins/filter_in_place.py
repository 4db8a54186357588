"""A recursive filter that overwrites its input, and looks one column ahead."""

import numpy as np

TWIN_OF = "recursive_filter"
ENTRY = "smooth"
SIZES = {"small": (6, 70)}


def smooth(x, a0, a1, b1):
    n, m = x.shape
    y = x
    for j in range(1, m - 1):
        y[:, j] = a0 * x[:, j] + a1 * x[:, j + 1] + b1 * x[:, j - 1]
    return y


def setup(n, m):
    return np.random.default_rng(40).random((n, m)), 0.3, 0.2, 0.4
