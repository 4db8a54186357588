"""A[m] += v in a loop, on the caller's array."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    constants={"limit": "float64", "v": "float64"},
    state={"x": "float64"},
    lanewise=True,
    chunked=True,
    live="m",
    compile=True,
)
def _drift_step(limit, v, x):
    """One iteration of the loop over `_` in `drift`."""
    m = x < limit
    x = np.where(m, x + v, x)
    return x, m


def drift(x: npt.NDArray[np.float64], v: float, limit: float, trips: int):
    for _ in _drift_step.over(range(trips), limit=limit, v=v, x=x):
        m = x < limit
        x[m] += v
    return x


def on_a_view(x: npt.NDArray[np.float64], v: float, limit: float, trips: int):
    window = x[1::2]
    drift(window, v, limit, trips)
    return window, x


def cases():
    row = np.array([0.0, -0.0, 1.5, -2.0, np.nan, np.inf, -np.inf, 3.0, 40.0])
    for trips in (203, 9, 16, 8, 7, 1, 0):
        yield "drift", (row.copy(), 0.25, 5.0, trips)
        yield "on_a_view", (row.copy(), 0.25, 5.0, trips)
    yield "drift", (row.copy()[::-1], 0.1, 5.0, 20)
    yield "drift", (row.copy(), -0.25, 5.0, 20)
    yield "drift", (row.copy(), 0.25, np.nan, 20)
    yield "drift", (row.copy(), np.nan, 5.0, 20)
    yield "drift", (np.zeros((0, 4)), 0.25, 5.0, 20)
    yield "drift", (np.zeros(1), 0.25, 5.0, 20)
    yield "drift", (np.array(1.0), 0.25, 5.0, 20)
    yield "drift", (np.asfortranarray(np.arange(12.0).reshape(3, 4)), 0.25, 5.0, 20)
