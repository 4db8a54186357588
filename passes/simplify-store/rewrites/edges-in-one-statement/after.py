"""Edges that are stored together: each store sees those before it, because the values are views."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    state={"h": "float64"},
    looped=True,
    compile=True,
)
def _insulated_step(h):
    """One iteration of the loop over `_` in `insulated`."""
    h[1:-1] = h[1:-1] * 0.5 + 0.25 * (h[2:] + h[:-2])
    h[0:1] = h[1:2]
    h[-1:] = h[0:1]
    h[1:2] = h[-2:-1]
    return (h,)


@nprewrite.jit
def insulated(h: npt.NDArray[np.float64], steps: int):
    for _ in _insulated_step.over(range(steps), h=h):
        h[1:-1] = h[1:-1] * 0.5 + 0.25 * (h[2:] + h[:-2])
        h[0:1] = h[1:2]
        h[-1:] = h[0:1]
        h[1:2] = h[-2:-1]
    return h


def cases():
    for steps in (0, 1, 4):
        yield "insulated", (np.arange(6.0) ** 2, steps)
