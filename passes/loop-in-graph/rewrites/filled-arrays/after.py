"""Each iteration begins with an array of zeros, or of ones.
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    carried={"u": "float64"},
    looped=True,
    compile=True,
)
def _relax_step(u):
    """One iteration of the loop over `n` in `relax`."""
    new = np.zeros_like(u)
    new[1:-1] = 0.5 * (u[:-2] + u[2:])
    new[0] = new[1]
    u = new
    return (u,)


def relax(u: npt.NDArray[np.float64], trips: int):
    for n in (loop := _relax_step.over(range(trips), u=u)):
        new = np.zeros_like(u)
        new[1:-1] = 0.5 * (u[:-2] + u[2:])
        new[0] = new[1]
        u = new
    if loop.finished:
        (u,) = loop.results
    return u


@npr.step(
    counter="n",
    carried={"u": "float64"},
    looped=True,
    compile=True,
)
def _weighed_step(u):
    """One iteration of the loop over `n` in `weighed`."""
    weight = np.ones_like(u)
    weight[1:] += 0.5 * u[:-1]
    u = u / weight
    return (u,)


def weighed(u: npt.NDArray[np.float64], trips: int):
    for n in (loop_1 := _weighed_step.over(range(trips), u=u)):
        weight = np.ones_like(u)
        weight[1:] += 0.5 * u[:-1]
        u = u / weight
    if loop_1.finished:
        (u,) = loop_1.results
    return u


def cases():
    for trips in (0, 1, 6):
        yield "relax", (np.arange(8.0) ** 2, trips)
        yield "weighed", (np.arange(8.0) ** 2, trips)
