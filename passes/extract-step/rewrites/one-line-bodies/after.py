"""Bodies on the line of their head: the loop becomes a step, the stores through masks become selects."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    state={"u": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _settle_step(u):
    """One iteration of the loop over `n` in `settle`."""
    u = np.where(u > 0.25, u * 0.5, u)
    return (u,)


def settle(size: int, trips: int):
    u = np.linspace(-1.0, 1.0, size)
    for n in _settle_step.over(range(trips), u=u): u[u > 0.25] *= 0.5
    return u


def capped(size: int):
    u = np.linspace(-1.0, 1.0, size)
    if size > 3: u[...] = np.where(u > 0.5, 0.5, u)  # only then
    return u


def cases():
    for trips in (0, 1, 7, 20):
        yield "settle", (6, trips)
    yield "capped", (6,)
    yield "capped", (0,)
