"""A time loop on some hundred points that keeps what the field is now and then, in order."""

import bisect

import numpy as np

import nprewrite
import nprewrite.runtime as npr

kept: list[tuple[float, int]] = []


@npr.native
def _spread_loop(first, stop, u, every, left, n):
    """The loop in `spread`."""
    for n in range(first, stop):
        u = u + 0.2 * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
        if n % every == 0:
            first = n + 1
            left = 1
            break
        u[0] = 0.0
    return left, u, n, first


@nprewrite.jit
def spread(steps: int, every: int):
    u = np.zeros(64)
    u[30:34] = 1.0
    first, stop = 0, steps
    left = 1
    while left:
        left = 0
        left, u, n_after, first = _spread_loop(first, stop, u, every, left, None)
        if n_after is not None:
            n = n_after
        del n_after
        if left == 1:
            # The field of this step.
            bisect.insort(kept, (float(u[31]), n))
            u[0] = 0.0
    return u


def everything(steps: int, every: int):
    kept.clear()
    return spread(steps, every), [*kept]


def cases():
    yield "everything", (30, 10)
    yield "everything", (0, 10)
    yield "everything", (31, 1)
    yield "everything", (5, 0), ZeroDivisionError
