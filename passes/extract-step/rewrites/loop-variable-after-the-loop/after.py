"""n after the loop is what it was: the last value of the range, or unbound without trips; early stops do not show.

Hazards: 3.variable-after, 3.zero-trips, 3.idempotent
"""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    state={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _count_step(x):
    """One iteration of the loop over `n` in `count`."""
    x = np.where(x > 1, x / 2, x)
    return (x,)


def count(size: int, trips: int):
    x = np.linspace(1, 100, size)
    for n in (loop := _count_step.over(range(trips), x=x)):
        x[x > 1] = x[x > 1] / 2
    if loop.finished:
        n = loop.counter
    return x, n


@npr.step(
    counter="n",
    scalars={"n": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _preset_step(n, x):
    """One iteration of the loop over `n` in `preset`."""
    x = x * 0.5 + n
    return (x,)


def preset(size: int, trips: int):
    n = -1
    x = np.linspace(1, 100, size)
    for n in (loop_1 := _preset_step.over(range(trips), x=x)):
        x = x * 0.5 + n
    if loop_1.finished:
        n = loop_1.counter
        (x,) = loop_1.results
    return x, n


@npr.step(
    counter="n",
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _after_and_used_step(x):
    """One iteration of the loop over `n` in `after_and_used`."""
    x = x * 0.5
    return (x,)


def after_and_used(size: int, trips: int):
    x = np.ones(size)
    n = 0
    for n in (loop_2 := _after_and_used_step.over(range(trips), x=x)):
        x = x * 0.5
    if loop_2.finished:
        n = loop_2.counter
        (x,) = loop_2.results
    x = x + n
    return x, n + 1


def cases():
    for trips in (203, 9, 8, 7, 1):
        yield "count", (9, trips)
    yield "count", (9, 0), UnboundLocalError
    yield "count", (9, np.int64(12))
    yield "count", (0, 12)
    for trips in (203, 9, 8, 7, 1, 0, -4):
        yield "preset", (9, trips)
        yield "after_and_used", (9, trips)
    yield "preset", (9, np.int32(12))
