"""`break` where the arrays say so, at the end of an iteration; `k` and the last numbers are read after it."""

import numpy as np


def smooth(size: int, tolerance: float, most: int):
    u = np.sin(np.arange(size) * 1.0)
    for k in range(most):
        new = 0.5 * u + 0.25 * (np.roll(u, 1) + np.roll(u, -1))
        change = np.abs(new - u).max()
        u = new
        if change < tolerance:
            break
    return u, k, change


def cases():
    yield "smooth", (30, 1e-2, 100)
    yield "smooth", (30, 1e-9, 7)
    yield "smooth", (30, 9.0, 7)
    yield "smooth", (30, 9.0, 0), UnboundLocalError
