"""A new array at each trip, which after the loop has two names.
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    carried={"prev": "float64"},
    looped=True,
    compile=True,
)
def _pressure_step(prev):
    """One iteration of the loop over `_` in `pressure`."""
    new = np.zeros_like(prev)
    new[1:-1] = 0.5 * (prev[:-2] + prev[2:])
    new[0] = new[1]
    prev = new
    return (prev,)


def pressure(prev: npt.NDArray[np.float64], trips: int):
    new = prev
    for _ in (loop := _pressure_step.over(range(trips), prev=prev)):
        new = np.zeros_like(prev)
        new[1:-1] = 0.5 * (prev[:-2] + prev[2:])
        new[0] = new[1]
        prev = new
    if loop.finished:
        (prev,) = loop.results
        new = prev
    new[-1] = 7.0
    return prev, new, prev is new


def cases():
    for trips in (0, 1, 4):
        yield "pressure", (np.arange(6.0) ** 2, trips)
