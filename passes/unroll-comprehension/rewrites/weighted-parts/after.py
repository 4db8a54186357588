"""Parts of an array with weights from a table, as a list, and added to what there is already."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    carried={"u": "float64"},
    compile=True,
)
def _blended_step(u):
    """One iteration of the loop over `_` in `blended`."""
    parts = np.stack([0.5 * np.roll(u, 0), 0.25 * np.roll(u, 1), 0.125 * np.roll(u, 2)])
    u = 0.125 * u + parts[0] + parts[2]
    return (u,)


@nprewrite.jit
def blended(u: npt.NDArray[np.float64], trips: int):
    weights = [0.5, 0.25, 0.125]
    for _ in (loop := _blended_step.over(range(trips), u=u)):
        parts = np.stack([0.5 * np.roll(u, 0), 0.25 * np.roll(u, 1), 0.125 * np.roll(u, 2)])
        u = 0.125 * u + parts[0] + parts[2]
    if loop.finished:
        (u,) = loop.results
    return u


def cases():
    for trips in (0, 1, 4):
        yield "blended", (np.linspace(0, 1, 7), trips)
    yield "blended", (np.zeros(0), 2)
    yield "blended", (np.array([-0.0, np.nan, np.inf]), 1)
