"""The mask empties soon and stays empty: the cost follows the live lanes, the result is the same.

Hazards: 1.cost, 3.idempotent
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    state={"x": "float64", "left": "int64"},
    lanewise=True,
    chunked=True,
    live="m",
    compile=True,
)
def _settle_step(n, x, left):
    """One iteration of the loop over `n` in `settle`."""
    m = x > 1.0
    x = np.where(m, x / 2, x)
    left = np.where(m, n, left)
    return x, left, m


def settle(x: npt.NDArray[np.float64], trips: int):
    left = np.zeros(x.shape, dtype=np.int64)
    for n in _settle_step.over(range(trips), x=x, left=left):
        m = x > 1.0
        x[m] = x[m] / 2
        left[m] = n
    return x, left


def cases():
    yield "settle", (np.linspace(0.0, 1000.0, 40_000), 30)
    yield "settle", (np.linspace(0.0, 1000.0, 40_000).reshape(200, 200).T, 9)
    spike = np.zeros(40_000)
    spike[123] = 1e300
    yield "settle", (spike, 2000)
    yield "settle", (np.zeros(5), 203)
