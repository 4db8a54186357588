"""Lines that end as on Windows: the loop becomes a step, the stores through masks become selects."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    carried={"u": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _settle_step(u):
    """One iteration of the loop over `n` in `settle`."""
    u = u.copy()
    hot = u > 0.25  # above the mark
    u = np.where(hot, u * 0.5, u)
    u = u + 0.125
    return (u,)


def settle(size: int, trips: int):
    u = np.linspace(-1.0, 1.0, size)
    for n in (loop := _settle_step.over(range(trips), u=u)):
        hot = u > 0.25  # above the mark
        u[hot] = u[hot] * 0.5
        u = u + 0.125
    if loop.finished:
        (u,) = loop.results
    return u


def capped(size: int):
    u = np.linspace(-1.0, 1.0, size)
    u[...] = np.where(u > 0.5, 0.5, u)
    return u


def cases():
    for trips in (0, 1, 7, 20):
        yield "settle", (6, trips)
    yield "capped", (6,)
    yield "capped", (0,)
