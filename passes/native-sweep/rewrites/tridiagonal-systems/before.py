"""Many tridiagonal systems by Thomas' algorithm: one matrix, and a row of right-hand sides for each unknown."""

import numpy as np


def solve(n: int, systems: int):
    a, b, c = np.full(n, -1.0), np.linspace(2.5, 3.5, n), np.full(n, -0.5)
    d = np.cos(np.arange(n * systems, dtype=np.float64)).reshape(n, systems)
    for i in range(1, n):
        w = a[i] / b[i - 1]
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    x = np.zeros((n, systems))
    x[-1] = d[-1] / b[-1]
    for i in range(n - 2, -1, -1):
        rest = d[i] - c[i] * x[i + 1]
        x[i] = rest / b[i]
    return x, b, d


def cases():
    for n, systems in ((30, 5), (2, 4), (1, 3), (6, 1), (6, 0)):
        yield "solve", (n, systems)
    yield "solve", (0, 3), IndexError
