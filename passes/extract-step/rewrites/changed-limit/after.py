"""The range was made before the first trip: binding its end inside changes nothing.

Hazards: 3.frozen-range
"""

import numpy as np
import nprewrite.runtime as npr


def _frozen_trips(trips):
    """The numbers of each iteration of the loop in `frozen`."""
    for n in range(trips):
        trips = 3
        yield (n,)
    return (trips,)


@npr.step(
    scalars={"n": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _frozen_step(n, x):
    """One iteration of the loop in `frozen`."""
    x = x + n
    return (x,)


def frozen(size: int, trips: int):
    x = np.zeros(size)
    for once in (loop := _frozen_step.over(_frozen_trips(trips), x=x)):
        for n in range(trips):
            trips = 3
            x = x + n
    if loop.finished:
        (trips,) = loop.numbers
        (x,) = loop.results
    return x, trips


def cases():
    yield "frozen", (3, 9)
    yield "frozen", (3, 0)
