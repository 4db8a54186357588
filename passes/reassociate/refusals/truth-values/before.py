"""Products of truth values are no sums: the number makes the first product one."""

import numpy as np


def paths(n):
    A, B, x = np.eye(n) > 0, np.ones((n, n)) > 0, np.ones(n) > 0
    return 2 * (A @ B) @ x


def cases():
    yield "paths", (30,)
