"""Lanes with inf, nan and 0 that are not selected keep their values: a product with the mask would make nan.

Hazards: 1.blend
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"y": "float64"},
    state={"x": "float64"},
    lanewise=True,
    chunked=True,
    live="m",
    compile=True,
)
def _scale_step(y, x):
    """One iteration of the loop over `_` in `scale`."""
    m = np.abs(x) < 1e6
    x = np.where(m, x * y + 1.0, x)
    return x, m


def scale(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], trips: int):
    for _ in _scale_step.over(range(trips), y=y, x=x):
        m = np.abs(x) < 1e6
        x[m] = x[m] * y[m] + 1.0
    return x


def cases():
    x = np.array([0.0, -0.0, 1.5, np.inf, -np.inf, np.nan, 1e300, -7.0])
    y = np.array([np.inf, 2.0, 0.0, 0.0, np.nan, 3.0, 1e300, -1.5])
    for trips in (9, 203, 8, 1, 0):
        yield "scale", (x.copy(), y.copy(), trips)
    yield "scale", (x.copy(), x.copy(), 9)
    shared = np.array([0.5, 2.0, np.inf])
    yield "scale", (shared, shared, 9)
    yield "scale", (np.zeros(0), np.zeros(0), 9)
