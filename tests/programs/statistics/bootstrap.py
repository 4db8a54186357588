"""Bootstrap confidence interval of a statistic that is an argument, one resample a trip."""

import numpy as np

ENTRY = "bootstrap"
SIZES = {"bench": (100_000, 100), "small": (40, 12)}


def trimmed(x):
    return np.mean(np.clip(x, -2.0, 2.0))


def bootstrap(rng, data, statistic, resamples, alpha=0.05):
    n = len(data)
    values = np.empty(resamples)
    for b in range(resamples):
        values[b] = statistic(data[rng.integers(0, n, n)])
    lo, hi = np.quantile(values, [alpha / 2, 1 - alpha / 2])
    return statistic(data), lo, hi


def setup(n, resamples):
    rng = np.random.default_rng(84)
    return rng, rng.standard_normal(n), trimmed, resamples
