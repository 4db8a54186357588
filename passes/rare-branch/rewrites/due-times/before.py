"""A loop until a time is reached, with outputs at times of their own; one of them ends it, another skips the rest."""

import bisect

import numpy as np

import nprewrite

kept: list[tuple[float, float]] = []


@nprewrite.jit
def decayed(end: float, every: float, most: int):
    x = np.linspace(0.0, 1.0, 32)
    t, due = 0.0, every
    while t < end:
        dt = 0.01 / (1.0 + x.max())
        x = x - dt * x
        t += dt
        if t > due:
            bisect.insort(kept, (float(x[-1]), t))
            due += every
            if len(kept) > most:
                break
            if len(kept) == 2:
                continue
        x[0] += dt
    return x, t


def everything(end: float, every: float, most: int):
    kept.clear()
    return decayed(end, every, most), [*kept]


def cases():
    yield "everything", (0.5, 0.1, 99)
    yield "everything", (0.5, 0.05, 3)
    yield "everything", (0.0, 0.1, 9)
