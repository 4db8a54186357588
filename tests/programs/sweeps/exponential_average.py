"""Exponentially weighted mean and variance of a series, sample by sample."""

import numpy as np

ENTRY = "ewm"
SIZES = {"bench": (400_000,), "small": (200,)}


def ewm(x, alpha):
    mean = np.empty_like(x)
    var = np.empty_like(x)
    m = x[0]
    s = 0.0
    for i in range(len(x)):
        delta = x[i] - m
        m = m + alpha * delta
        s = (1 - alpha) * (s + alpha * delta * delta)
        mean[i] = m
        var[i] = s
    return mean, var


def setup(n):
    return np.cumsum(np.random.default_rng(43).standard_normal(n)), 0.05
