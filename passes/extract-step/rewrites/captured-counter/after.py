"""Functions made before the loop read the loop variable after it, one as a closure, one as a global.

Hazards: 3.closures
"""

import numpy as np
import nprewrite.runtime as npr

n = None


def latest():
    return n


@npr.step(
    counter="n",
    scalars={"n": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _peek_step(n, x):
    """One iteration of the loop over `n` in `peek`."""
    x = x * 0.5 + n
    return (x,)


def peek(size: int, trips: int):
    x = np.linspace(0, 1, size)

    def now():
        return n

    for n in (loop := _peek_step.over(range(trips), x=x)):
        x = x * 0.5 + n
    if loop.finished:
        n = loop.counter
        (x,) = loop.results
    return x, now(), latest()


@npr.step(
    counter="n",
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _shared_step(x):
    """One iteration of the loop over `n` in `shared`."""
    x = x * 0.5
    return (x,)


def shared(size: int, trips: int):
    global n
    n = None
    x = np.linspace(0, 1, size)
    for n in (loop_1 := _shared_step.over(range(trips), x=x)):
        x = x * 0.5
    if loop_1.finished:
        n = loop_1.counter
        (x,) = loop_1.results
    return x, n, latest()


def cases():
    for trips in (203, 9, 8, 1):
        yield "peek", (3, trips)
        yield "shared", (3, trips)
    yield "peek", (3, 0), NameError
    yield "shared", (3, 0)
