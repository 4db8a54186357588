"""Many tridiagonal systems at once by Thomas' algorithm, the systems along the last axis."""

import numpy as np

ENTRY = "thomas"
SIZES = {"bench": (1500, 1500), "small": (12, 5)}


def thomas(a, b, c, d):
    n = len(d)
    cp = np.zeros_like(c)
    dp = np.zeros_like(d)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x = np.empty_like(d)
    x[-1] = dp[-1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


def setup(n, systems):
    rng = np.random.default_rng(42)
    a, c, d = (rng.random((n, systems)) for _ in range(3))
    return a, 2.5 + rng.random((n, systems)), c, d
