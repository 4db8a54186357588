"""What is multiplied in float32 first would be multiplied in float64."""

import numpy as np


def chain(n):
    A = np.ones((n, n), dtype=np.float32)
    B = np.ones((n, n), dtype=np.float32)
    x = np.linspace(0.0, 1.0, n)
    return A @ B @ x


def cases():
    yield "chain", (30,)
