"""A scale for each column is no factor of the product."""

import numpy as np


def weighted(n):
    A = np.arange(float(n * n)).reshape(n, n)
    weights, x = np.linspace(1.0, 2.0, n), np.ones(n)
    return weights * A @ x


def cases():
    yield "weighted", (30,)
