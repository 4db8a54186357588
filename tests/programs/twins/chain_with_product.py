"""A chain in which one `@` is `*`: from the left, and not in another order."""

import numpy as np

TWIN_OF = "product_chain"
ENTRY = "chain"
SIZES = {"small": (12,)}


def chain(A, B, C, D, x):
    return A @ B * C @ D @ x


def setup(n):
    rng = np.random.default_rng(43)
    return *rng.random((4, n, n)), rng.random(n)
