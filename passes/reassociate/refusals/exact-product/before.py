"""Another order has other last bits."""

import numpy as np


def chain(n):
    A, B, x = np.ones((n, n)), np.ones((n, n)), np.linspace(0.0, 1.0, n)
    return A @ B @ x


def cases():
    yield "chain", (12,)
