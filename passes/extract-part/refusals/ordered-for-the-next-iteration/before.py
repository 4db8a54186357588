"""The order is found after the step, for the next iteration: the first one reads another array than the step's."""

import numpy as np


def ranked(size: int, trips: int):
    u = np.cos(np.arange(size) * 2.0)
    w = np.sort(u)
    for n in range(trips):
        u = u + 0.1 * (w - u)
        u = u - 0.05 * w
        w = np.sort(u)
    return u


def multiplied(size: int, trips: int):
    A = np.eye(size) + 0.1
    u = np.cos(np.arange(size) * 2.0)
    for n in range(trips):
        w = np.linalg.solve(A, u)
        u = u + 0.1 * (w - u)
        u = u - 0.05 * w
    return u


def cases():
    yield "ranked", (5, 4)
    yield "multiplied", (5, 4)
