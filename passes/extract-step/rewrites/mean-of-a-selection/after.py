"""A[m] -= A[m].mean(): the mean is a reduction over the selected lanes, the rest is lanewise.

Hazards: 1.13
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    state={"x": "float64"},
    aligned=("x",),
    compile=True,
)
def _centre_step(x):
    """One iteration of the loop over `_` in `centre`."""
    m = x > 0.0
    x[...] = np.where(m, x - (np.where(m, x, 0).sum() / np.sum(m)), x)
    return (x,)


def centre(x: npt.NDArray[np.float64], trips: int):
    for _ in _centre_step.over(range(trips), x=x):
        m = x > 0.0
        x[m] -= x[m].mean()
    return x


def cases():
    for trips in (9, 8, 3, 1, 0):
        yield "centre", (np.array([0.0, 1.5, 2.0, 4.0, -3.0, 10.0]), trips)
    yield "centre", (np.linspace(-1, 1, 500).reshape(20, 25)[:, ::-1], 4)
    yield "centre", (-np.ones(4), 3)
    yield "centre", (np.array([np.inf, 1.0, -2.0]), 3)
    yield "centre", (np.zeros(0), 3)
    yield "centre", (np.array(2.0), 3)
