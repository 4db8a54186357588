"""An assertion, which Python may be told to leave out: where it fails, the loop as written runs again."""

import numpy as np


def decay(n: int, m: int):
    x = np.ones((n, m))
    total = np.zeros(n)
    for i in range(1, n):
        x[i] = 0.5 * x[i - 1]
        total[i] = x[i].sum()
        assert total[i] > 0.1, f"nothing is left at {i}"
    return x, total


def cases():
    yield "decay", (5, 3)
    yield "decay", (9, 3), AssertionError
