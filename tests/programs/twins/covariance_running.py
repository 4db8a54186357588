"""Covariances with the running means of what has been seen so far (Welford)."""

import numpy as np

TWIN_OF = "covariance_scalar"
ENTRY = "covariance"
SIZES = {"small": (4, 15)}


def covariance(data):
    n, m = data.shape
    mean = np.zeros(m)
    cov = np.zeros((m, m))
    for k in range(n):
        for j in range(m):
            for i in range(j + 1):
                cov[i, j] += (data[k, i] - mean[i]) * (data[k, j] - mean[j]) * k / (k + 1)
        for j in range(m):
            mean[j] += (data[k, j] - mean[j]) / (k + 1)
    return cov / (n - 1)


def setup(m, n):
    return (np.random.default_rng(46).random((n, m)),)
