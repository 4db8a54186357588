"""An assertion, which Python may be told to leave out: where it fails, the loop as written runs again."""

import numpy as np
import nprewrite.runtime as npr


@npr.native
def _decay_loop(n, x, total):
    """The loop in `decay`."""
    for i in range(1, n):
        x[i] = 0.5 * x[i - 1]
        total[i] = x[i].sum()
        assert total[i] > 0.1, f"nothing is left at {i}"


def decay(n: int, m: int):
    x = np.ones((n, m))
    total = np.zeros(n)
    _decay_loop(n, x, total)
    return x, total


def cases():
    yield "decay", (5, 3)
    yield "decay", (9, 3), AssertionError
