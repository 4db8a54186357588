"""The step's size is looked up, trip by trip, in an array that the loop leaves alone."""

import numpy as np
import nprewrite.runtime as npr


def _march_trips(t, sizes, k):
    """The numbers of each iteration of the loop in `march`."""
    while t < 1.0:
        yield (sizes[k],)
        t = t + sizes[k]
        k += 1
    return (t, k)


@npr.step(
    scalars={"scalar_float64": npr.scalar("float64")},
    carried={"u": "float64"},
    apart=("sizes",),
    lanewise=True,
    chunked=True,
    compile=True,
)
def _march_step(scalar_float64, u):
    """One iteration of the loop in `march`."""
    u = u + scalar_float64 * np.cos(u)
    return (u,)


def march(size: int, count: int):
    u = np.linspace(0, 1, size)
    sizes = np.linspace(0.5, 0.1, count)
    t = 0.0
    k = 0
    for once in (loop := _march_step.over(_march_trips(t, sizes, k), u=u, sizes=sizes)):
        while t < 1.0:
            u = u + sizes[k] * np.cos(u)
            t = t + sizes[k]
            k += 1
    if loop.finished:
        (t, k) = loop.numbers
        (u,) = loop.results
    return u, t, k


def cases():
    yield "march", (4, 7)
    yield "march", (4, 40)
    yield "march", (4, 2), IndexError
