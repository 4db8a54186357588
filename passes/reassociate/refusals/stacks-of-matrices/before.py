"""Stacks of matrices broadcast against each other."""

import numpy as np


def products(n):
    A, B, x = np.ones((3, n, n)), np.ones((n, n)), np.linspace(0.0, 1.0, n)
    return A @ B @ x


def cases():
    yield "products", (12,)
