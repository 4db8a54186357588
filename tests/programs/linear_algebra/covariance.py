"""Covariance matrix by rows of dot products; PolyBench's covariance in array code."""

import numpy as np

ENTRY = "covariance"
SIZES = {"bench": (600, 1400), "small": (12, 40)}


def covariance(M, float_n, data):
    mean = np.mean(data, axis=0)
    data -= mean
    cov = np.zeros((M, M), dtype=data.dtype)
    for i in range(M):
        cov[i:, i] = cov[i, i:] = data[:, i] @ data[:, i:] / (float_n - 1.0)
    return cov


def setup(m, n):
    return m, float(n), np.random.default_rng(7).random((n, m))
