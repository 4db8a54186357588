"""Python's number is made of whatever is given, when it is its turn."""

import numpy as np


def chain(n, scale):
    A, B, x = np.ones((n, n)), np.ones((n, n)), np.linspace(0.0, 1.0, n)
    return A @ B @ (x * float(scale))


def cases():
    yield "chain", (12, 2.0)
