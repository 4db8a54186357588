"""The mask and what it selects from are slices that cut as much off: they have one shape whatever the size."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    state={"x": "float64"},
    ranks={"x": 1},
    compile=True,
)
def _settle_step(x):
    """One iteration of the loop over `n` in `settle`."""
    inner = 1.5 * x[1:-1]
    m = x[2:] < 0.5
    inner[...] = np.where(m, 0.25, inner)
    x[1:-1] = inner
    return (x,)


def settle(size: int, trips: int):
    x = np.linspace(-1.0, 1.0, size)
    for n in _settle_step.over(range(trips), x=x):
        inner = 1.5 * x[1:-1]
        m = x[2:] < 0.5
        inner[m] = 0.25
        x[1:-1] = inner
    return x


def cases():
    yield "settle", (9, 3)
    yield "settle", (1, 3)
