"""Two buffers change their names at each trip, and are stored into.
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    state={"u": "float64", "v": "float64"},
    aligned=("u", "v"),
    rotates={"u": "v", "v": "u"},
    looped=True,
    compile=True,
)
def _relax_step(u, v):
    """One iteration of the loop over `n` in `relax`."""
    v[...] = 0.5 * u + 1
    return u, v


def relax(u: npt.NDArray[np.float64], trips: int):
    v = u.copy()
    for n in (loop := _relax_step.over(range(trips), u=u, v=v)):
        v[...] = 0.5 * u + 1
        u, v = v, u
    if loop.finished:
        (u, v) = loop.results
    return u, v


def cases():
    for trips in (0, 1, 4, 5):
        yield "relax", (np.arange(6.0) ** 2, trips)
