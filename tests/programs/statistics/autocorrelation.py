"""Autocorrelation at many lags, each a product of two slices of one series."""

import numpy as np

ENTRY = "autocorrelation"
SIZES = {"bench": (300_000, 150), "small": (80, 9)}


def autocorrelation(x, max_lag):
    x = x - x.mean()
    n = x.size
    var = (x * x).sum() / n
    acf = np.zeros(max_lag + 1)
    for k in range(max_lag + 1):
        acf[k] = (x[: n - k] * x[k:]).sum() / (n * var)
    return acf


def setup(n, max_lag):
    return np.cumsum(np.random.default_rng(85).standard_normal(n)) * 0.01, max_lag
