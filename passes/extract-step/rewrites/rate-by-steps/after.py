"""Numbers under conditions: a rate that halves, iterations that are left out, an early end by the time."""

import numpy as np
import nprewrite.runtime as npr


def _descend_trips(trips, last, rate, skipped):
    """The numbers of each iteration of the loop in `descend`."""
    for k in range(trips):
        if k > last:
            break
        if k % 4 == 3:
            rate *= 0.5
            skipped += 1
            continue
        yield (rate,)
    return (rate, skipped)


@npr.step(
    scalars={"rate": "float64"},
    inputs={"goal": "float64"},
    carried={"w": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _descend_step(rate, goal, w):
    """One iteration of the loop in `descend`."""
    w = w - rate * (w - goal)
    return (w,)


def descend(size: int, trips: int, rate: float, last: int):
    w = np.linspace(-1, 1, size)
    goal = np.cos(w)
    skipped = 0
    for once in (loop := _descend_step.over(
        _descend_trips(trips, last, rate, skipped),
        goal=goal,
        w=w,
    )):
        for k in range(trips):
            if k > last:
                break
            if k % 4 == 3:
                rate *= 0.5
                skipped += 1
                continue
            w = w - rate * (w - goal)
    if loop.finished:
        (rate, skipped) = loop.numbers
        (w,) = loop.results
    return w, rate, skipped


def cases():
    yield "descend", (5, 13, 0.5, 99)
    yield "descend", (5, 13, 0.5, 6)
    yield "descend", (5, 13, 0.5, -1)
    yield "descend", (5, 0, 0.5, 6)
