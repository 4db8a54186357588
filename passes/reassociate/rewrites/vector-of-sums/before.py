"""The vector at the end is made by functions of whole arrays."""

import numpy as np


def chain(n):
    A, B = np.ones((n, n)), np.full((n, n), 0.5)
    return A @ B @ np.cumsum(B.sum(axis=0))


def cases():
    for n in (1, 3, 12):
        yield "chain", (n,)
