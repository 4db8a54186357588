"""A float array stored into integers is cast lane by lane; what lanes that are not selected hold is not looked at.

Hazards: 1.3
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    state={"x": "float64", "k": "int32"},
    lanewise=True,
    chunked=True,
    live="m",
    compile=True,
)
def _level_step(x, k):
    """One iteration of the loop over `n` in `level`."""
    m = np.abs(x) < 100.0
    k = np.where(m, (x * 2).astype(np.int32), k)
    x = np.where(m, x * 1.25, x)
    return x, k, m


def level(x: npt.NDArray[np.float64], trips: int):
    k = np.zeros(x.shape, dtype=np.int32)
    for n in _level_step.over(range(trips), x=x, k=k):
        m = np.abs(x) < 100.0
        k[m] = x[m] * 2
        x[m] = x[m] * 1.25
    return x, k


def cases():
    row = np.array([0.0, 1.5, -1.5, 99.9, 1e300, np.nan, np.inf, -np.inf])
    for trips in (9, 40, 8, 1, 0):
        yield "level", (row.copy(), trips)
    yield "level", (row.copy()[::-2], 9)
