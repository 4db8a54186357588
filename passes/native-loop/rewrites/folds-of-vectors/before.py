"""Python's `max`, `min`, `sum`, `any` and `all` of what is computed from vectors take their elements one by one."""

import numpy as np


def swept(n: int):
    x, y = np.linspace(0.0, 1.0, n), np.zeros(n)
    difference = 1.0
    for i in range(1, n - 1):
        y[i] = 0.5 * (x[i - 1] + x[i + 1])
        difference = max(abs(y - x))
    return y, difference


def scored(n: int, first: float, whole: int):
    x, k = np.linspace(first, 1.0, n), np.full(n, whole, dtype=np.int32)
    scores = np.zeros(n)
    for i in range(n):
        scores[i] = sum(x * x) + min(x[i:] - x[0]) + sum(k * k)
        if any(x[:i] > scores[i]) or all(k > i):
            scores[i] += max(k + 1)
    return scores


def cases():
    for n in (0, 2, 3, 12):
        yield "swept", (n,)
    yield "scored", (9, -2.0, 4)
    yield "scored", (9, float("nan"), -1)
    yield "scored", (3, 0.0, 2**30)
    yield "scored", (0, 0.0, 1)
