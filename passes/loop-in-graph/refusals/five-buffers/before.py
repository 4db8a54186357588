"""Five arrays change places: the loop would have to hold five iterations."""

import numpy as np


def delayed(n: int, steps: int):
    a = np.arange(n, dtype=np.float64)
    b, c, d, e = a + 1, a + 2, a + 3, a + 4
    for _ in range(steps):
        e[1:] = 0.5 * (a[1:] + b[:-1])
        a, b, c, d, e = e, a, b, c, d
    return a, b, c, d, e


def cases():
    yield "delayed", (12, 5)
