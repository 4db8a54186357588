"""`k` is computed from itself and used in the loop alone.

Hazards: 3.python-integers
"""

import numpy as np
import nprewrite.runtime as npr


def _collatz_trips(trips, k):
    """The numbers of each iteration of the loop in `collatz`."""
    for n in range(trips):
        k = k * 3 + 1
        yield (1 / k,)
    return ()


@npr.step(
    scalars={"scalar_float64": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _collatz_step(scalar_float64, x):
    """One iteration of the loop in `collatz`."""
    x = x + scalar_float64
    return (x,)


def collatz(size: int, trips: int):
    x = np.linspace(0, 1, size)
    k = 1
    for once in (loop := _collatz_step.over(_collatz_trips(trips, k), x=x)):
        for n in range(trips):
            k = k * 3 + 1
            x = x + 1 / k
    if loop.finished:
        (x,) = loop.results
    return x


def cases():
    yield "collatz", (3, 100)
