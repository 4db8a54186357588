"""Implicit steps along the two axes in turn; the interior only, and slices of both ways through the matrix."""

import numpy as np


def diffuse(n: int, steps: int, a: float):
    u = np.sin(np.arange(n * n, dtype=np.float64)).reshape(n, n)
    v, p, q = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    b = 1.0 - 2.0 * a
    for _ in range(steps):
        v[0, 1 : n - 1] = 1.0
        for j in range(1, n - 1):
            p[1 : n - 1, j] = -a / (a * p[1 : n - 1, j - 1] + b)
            q[1 : n - 1, j] = (u[j, : n - 2] + u[j, 2:] - a * q[1 : n - 1, j - 1]) / (a * p[1 : n - 1, j - 1] + b)
        v[n - 1, 1 : n - 1] = 1.0
        for j in range(n - 2, 0, -1):
            v[j, 1 : n - 1] = p[1 : n - 1, j] * v[j + 1, 1 : n - 1] + q[1 : n - 1, j]
        for j in range(1, n - 1):
            u[1 : n - 1, j] = 0.5 * (v[1 : n - 1, j] + u[1 : n - 1, j - 1])
    return u, v, p, q


def cases():
    for n, steps in ((9, 3), (3, 2), (2, 2), (4, 0)):
        yield "diffuse", (n, steps, -0.3)
