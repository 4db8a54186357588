"""nan, inf and -0.0 pass through the chunks as through single trips."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    carried={"x": "float64", "y": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _step_step(x, y):
    """One iteration of the loop over `_` in `step`."""
    low = x < y
    high = x > y
    x = np.where(low, -x, np.where(high, x * 0.5, x))
    y = np.where(np.isnan(x), 0.0, y * -1.0)
    return x, y


def step(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], trips: int):
    for _ in (loop := _step_step.over(range(trips), x=x, y=y)):
        low = x < y
        high = x > y
        x = np.where(low, -x, np.where(high, x * 0.5, x))
        y = np.where(np.isnan(x), 0.0, y * -1.0)
    if loop.finished:
        (x, y) = loop.results
    return x, y


def cases():
    part = np.array([0.0, -0.0, 1.0, -2.0, np.nan, np.inf, -np.inf, 5e-324])
    for trips in (203, 9, 8, 1, 0):
        yield "step", (np.repeat(part, 8), np.tile(part, 8), trips)
