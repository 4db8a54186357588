"""Every iteration makes its arrays anew, as long as those that the loop changes."""

import numpy as np
import numpy.typing as npt
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


@npr.step(
    counter="n",
    carried={"u": "float64"},
    compile=True,
)
def _halved_step(u):
    """One iteration of the loop over `n` in `halved`."""
    half = np.empty_like(u)
    half[...] = 0.5 * u  # however many axes it has
    u = np.roll(half, 1)
    return (u,)


def halved(u: npt.NDArray[np.float64], trips: int):
    for n in (loop_1 := _halved_step.over(range(trips), u=u)):
        half = np.empty_like(u)
        half[...] = 0.5 * u  # however many axes it has
        u = np.roll(half, 1)
    if loop_1.finished:
        (u,) = loop_1.results
    return u


def cases():
    for shape in ((), (3,), (2, 3)):
        yield "halved", (np.ones(shape), 3)
    yield "decayed", (5, 3)
    yield "decayed", (1, 2)
    yield "decayed", (4, 0)
    yield "decayed", (0, 2)
