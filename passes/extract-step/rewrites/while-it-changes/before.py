"""The test reads what the last iteration gave: a number of the arrays goes back to the generator."""

import numpy as np


def laplace(n: int, target: float, most: int):
    p = np.zeros((n, n))
    p[:, -1] = np.linspace(0, 1, n)
    change, trips = 1.0, 0
    while change > target and trips < most:
        before = p.copy()
        p[1:-1, 1:-1] = 0.25 * (before[1:-1, 2:] + before[1:-1, :-2] + before[2:, 1:-1] + before[:-2, 1:-1])
        change = np.abs(p - before).max()
        trips += 1
    return p, change, trips


def cases():
    yield "laplace", (9, 1e-3, 500)
    yield "laplace", (9, 1e-3, 3)
    yield "laplace", (9, 1e-3, 0)
    yield "laplace", (9, 2.0, 5)
