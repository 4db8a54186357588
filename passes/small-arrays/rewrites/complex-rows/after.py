"""A row of complex numbers that is turned and taken from the one before it."""

import numpy as np
import nprewrite.runtime as npr


@npr.native
def _rotated_loop(n, x, total):
    """The loop in `rotated`."""
    for i in range(1, n):
        x[i] = 0.5j * x[i - 1] + total[i - 1]
        total[i] = np.abs(x[i]).sum()


def rotated(n: int, m: int):
    x = np.ones((n, m), dtype=np.complex128)
    total = np.zeros(n)
    _rotated_loop(n, x, total)
    return x, total


def cases():
    yield "rotated", (5, 3)
