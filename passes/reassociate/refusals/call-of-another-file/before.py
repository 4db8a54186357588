"""What another module's function returns is not known."""

import operator

import numpy as np


def chain(n):
    A, B, x = np.ones((n, n)), np.ones((n, n)), np.linspace(0.0, 1.0, n)
    return A @ operator.neg(B) @ x


def cases():
    yield "chain", (12,)
