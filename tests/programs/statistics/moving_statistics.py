"""Mean, variance and score of a moving window whose sums are carried from one position to the next."""

import numpy as np

ENTRY = "moving_statistics"
SIZES = {"bench": (300_000, 50), "small": (40, 6)}


def moving_statistics(x, w):
    n = len(x)
    mean = np.zeros(n - w + 1)
    variance = np.zeros(n - w + 1)
    score = np.zeros(n - w + 1)
    s = x[:w].sum()
    squares = (x[:w] ** 2).sum()
    mean[0] = s / w
    variance[0] = squares / w - mean[0] ** 2
    for i in range(1, n - w + 1):
        s += x[i + w - 1] - x[i - 1]
        squares += x[i + w - 1] ** 2 - x[i - 1] ** 2
        mean[i] = s / w
        variance[i] = squares / w - mean[i] ** 2
        score[i] = (x[i + w - 1] - mean[i]) / np.sqrt(variance[i] + 1e-12)
    return mean, variance, score


def setup(n, w):
    return np.random.default_rng(87).standard_normal(n), w
