"""Every iteration makes its arrays anew, as long as those that the loop changes."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    carried={"u": "float64"},
    ranks={"u": 1},
    compile=True,
)
def _decayed_step(u):
    """One iteration of the loop over `n` in `decayed`."""
    flow = np.zeros(len(u) + 1)
    flow[1:-1] = 0.25 * (u[1:] - u[:-1])
    weights = np.full(u.shape, 0.5) + np.array([0.5])
    u = u + weights * (flow[1:] - flow[:-1]) - 0.125 * u * np.arange(u.size)
    return (u,)


def decayed(size: int, trips: int):
    u = np.ones(size)
    for n in (loop := _decayed_step.over(range(trips), u=u)):
        flow = np.zeros(len(u) + 1)
        flow[1:-1] = 0.25 * (u[1:] - u[:-1])
        weights = np.full(u.shape, 0.5) + np.array([0.5])
        u = u + weights * (flow[1:] - flow[:-1]) - 0.125 * u * np.arange(u.size)
    if loop.finished:
        (u,) = loop.results
    return u


def cases():
    yield "decayed", (5, 3)
    yield "decayed", (1, 2)
    yield "decayed", (4, 0)
    yield "decayed", (0, 2)
