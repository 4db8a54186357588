"""The wave equation over three levels of time; a coefficient that changes with the iteration."""

import numpy as np


def wave(n: int, steps: int):
    before = np.sin(np.arange(n * n, dtype=np.float64)).reshape(n, n)
    now = before.copy()
    after = np.zeros((n, n))
    for t in range(steps):
        lap = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:] - 4 * now[1:-1, 1:-1]
        after[1:-1, 1:-1] = 2 * now[1:-1, 1:-1] - before[1:-1, 1:-1] + 0.1 * lap
        after[0, :] = 0.001 * t
        before, now, after = now, after, before
    return before, now, after


def cases():
    for steps in (1, 4, 5, 260):
        yield "wave", (9, steps)
