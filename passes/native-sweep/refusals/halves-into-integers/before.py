"""NumPy does not put halves back into integers, and raises; a loop over elements would cut them off."""

import numpy as np


def count(n: int, m: int):
    seen = np.ones((n, m), dtype=np.int64)
    for j in range(1, m):
        seen[:, j] += seen[:, j - 1] * 0.5
    return seen


def cases():
    yield "count", (3, 4), TypeError
