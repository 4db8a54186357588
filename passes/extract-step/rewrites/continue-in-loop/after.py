"""continue leaves out the rest of a trip.

Hazards: 3.continue
"""

import numpy as np
import nprewrite.runtime as npr


def _alternate_trips(trips):
    """The numbers of each iteration of the loop in `alternate`."""
    for n in range(trips):
        if n % 2:
            continue
        yield ()
    return ()


@npr.step(
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _alternate_step(x):
    """One iteration of the loop in `alternate`."""
    x = x * 0.5
    return (x,)


def alternate(size: int, trips: int):
    x = np.linspace(1, 2, size)
    for once in (loop := _alternate_step.over(_alternate_trips(trips), x=x)):
        for n in range(trips):
            if n % 2:
                continue
            x = x * 0.5
    if loop.finished:
        (x,) = loop.results
    return x


def cases():
    yield "alternate", (4, 9)
