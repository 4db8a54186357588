"""The array is set in a loop before, which may make no iteration: only an iteration of this one needs it."""

import numpy as np


def steps(size: int, earlier: int, trips: int):
    seen = []
    for k in range(earlier):
        u = np.full(size, 1.0)
        seen.append(str(k))
    for n in range(trips):
        u = u * 0.5
        u = u + 1.0
        seen.append(u.copy())
    return seen


def cases():
    yield "steps", (3, 2, 2)
    yield "steps", (3, 0, 0)
    yield "steps", (3, 0, 1), UnboundLocalError
