"""The call changes the matrix that the product before it has read."""

import numpy as np


def changed(A):
    A[0, 0] += 1.0
    return np.ones(len(A))


def chain(n):
    A, B = np.ones((n, n)), np.ones((n, n))
    return A @ B @ changed(A)


def cases():
    yield "chain", (12,)
