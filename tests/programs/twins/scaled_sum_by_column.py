"""The sum of scaled products with a scale for each column: not a factor of the product."""

import numpy as np

TWIN_OF = "scaled_sum"
ENTRY = "gesummv"
SIZES = {"small": (20,)}


def gesummv(alpha, beta, A, B, x):
    return alpha * A @ x + beta * B @ x


def setup(n):
    rng = np.random.default_rng(42)
    return rng.random(n), rng.random((n, 1)), rng.random((n, n)), rng.random((n, n)), rng.random(n)
