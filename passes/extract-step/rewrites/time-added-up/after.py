"""A Python float is carried from trip to trip, and its sum rounds at each.

Hazards: 3.python-integers
"""

import numpy as np
import nprewrite.runtime as npr


def _integrate_trips(trips, t, dt):
    """The numbers of each iteration of the loop in `integrate`."""
    for n in range(trips):
        yield (dt * t,)
        t += dt
    return (t,)


@npr.step(
    scalars={"scalar_float64": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _integrate_step(scalar_float64, x):
    """One iteration of the loop in `integrate`."""
    x = x + scalar_float64
    return (x,)


def integrate(size: int, trips: int, dt: float):
    x = np.linspace(0, 1, size)
    t = 0.0
    for once in (loop := _integrate_step.over(_integrate_trips(trips, t, dt), x=x)):
        for n in range(trips):
            x = x + dt * t
            t += dt
    if loop.finished:
        (t,) = loop.numbers
        (x,) = loop.results
    return x, t


def cases():
    yield "integrate", (3, 9, 0.1)
    yield "integrate", (3, 0, 0.1)
