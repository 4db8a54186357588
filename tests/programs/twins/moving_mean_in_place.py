"""A moving mean that overwrites the series it is taken from: later windows hold means."""

import numpy as np

TWIN_OF = "moving_statistics"
ENTRY = "moving_mean"
SIZES = {"small": (40, 6)}


def moving_mean(x, w):
    s = x[:w].sum()
    for i in range(1, len(x) - w + 1):
        s += x[i + w - 1] - x[i - 1]
        x[i + w - 2] = s / w
        x[i + w - 1] -= x[i]
    return x, s


def setup(n, w):
    return np.random.default_rng(87).standard_normal(n), w
