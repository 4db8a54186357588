"""Products of a column with those before it, each of which is removed once it was used."""

import numpy as np

TWIN_OF = "covariance"
ENTRY = "covariance"
SIZES = {"small": (5, 12)}


def covariance(data):
    m = data.shape[1]
    cov = np.zeros((m, m))
    for i in range(m):
        cov[: i + 1, i] = cov[i, : i + 1] = data[:, i] @ data[:, : i + 1]
        data[:, i] -= cov[i, i] * data[:, 0]
    return cov


def setup(m, n):
    return (np.random.default_rng(48).random((n, m)),)
