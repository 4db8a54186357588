"""The last factor is put into the matrix that the product before it has read."""

import numpy as np


def chain(n):
    A, B, x = np.ones((n, n)), np.ones((n, n)), np.linspace(0.0, 1.0, n)
    return A @ B @ np.dot(B, x, A[0])


def cases():
    yield "chain", (12,)
