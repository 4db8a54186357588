"""Correlation matrix, with constant columns kept from dividing by zero; PolyBench's correlation."""

import numpy as np

ENTRY = "correlation"
SIZES = {"bench": (500, 1200), "small": (10, 30)}


def correlation(data, eps=0.1):
    n, m = data.shape
    mean = data.mean(axis=0)
    stddev = data.std(axis=0)
    stddev[stddev <= eps] = 1.0
    data = (data - mean) / (np.sqrt(n) * stddev)
    corr = np.eye(m)
    for i in range(m - 1):
        corr[i + 1 :, i] = corr[i, i + 1 :] = data[:, i] @ data[:, i + 1 :]
    return corr


def setup(m, n):
    data = np.random.default_rng(8).random((n, m))
    data[:, ::7] = 0.25
    return (data,)
