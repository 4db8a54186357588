"""A time loop on some hundred points that keeps what the field is now and then, in order."""

import bisect

import numpy as np

import nprewrite

kept: list[tuple[float, int]] = []


@nprewrite.jit
def spread(steps: int, every: int):
    u = np.zeros(64)
    u[30:34] = 1.0
    for n in range(steps):
        u = u + 0.2 * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
        if n % every == 0:
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
