"""Means and covariances with a loop over every index; PolyBench's covariance as in C."""

import numpy as np

ENTRY = "covariance"
SIZES = {"bench": (50, 260), "small": (6, 20)}


def covariance(data):
    n, m = data.shape
    mean = np.zeros(m)
    for j in range(m):
        for i in range(n):
            mean[j] += data[i, j]
        mean[j] /= n
    cov = np.zeros((m, m))
    for i in range(m):
        for j in range(i, m):
            total = 0.0
            for k in range(n):
                total += (data[k, i] - mean[i]) * (data[k, j] - mean[j])
            cov[i, j] = total / (n - 1)
            cov[j, i] = cov[i, j]
    return cov


def setup(m, n):
    return (np.random.default_rng(17).random((n, m)),)
