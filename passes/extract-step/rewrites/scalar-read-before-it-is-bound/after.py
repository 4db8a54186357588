"""`a` is computed from the `k` of the trip before.

Hazards: 3.python-integers
"""

import numpy as np
import nprewrite.runtime as npr


def _follow_trips(trips, k):
    """The numbers of each iteration of the loop in `follow`."""
    for n in range(trips):
        a = k * 2
        k = 3
        yield (a,)
    return ()


@npr.step(
    scalars={"a": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _follow_step(a, x):
    """One iteration of the loop in `follow`."""
    x = x + a
    return (x,)


def follow(size: int, trips: int):
    x = np.linspace(0, 1, size)
    k = 1
    for once in (loop := _follow_step.over(_follow_trips(trips, k), x=x)):
        for n in range(trips):
            a = k * 2
            k = 3
            x = x + a
    if loop.finished:
        (x,) = loop.results
    return x


def cases():
    yield "follow", (3, 9)
    yield "follow", (3, 0)
