"""A count outside of the mask goes on when the mask is empty: no trip may be left out.

Hazards: 3.idempotent
"""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    state={"x": "float64", "waited": "int64"},
    out={"mask": "bool"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _halving_step(n, x, waited):
    """One iteration of the loop over `n` in `halving`."""
    mask = x > 1
    x = np.where(mask, x * 0.5, x)
    waited = np.where(~mask, n, waited)
    return x, waited, mask


def halving(size: int, trips: int):
    x = np.linspace(0, 50, size)
    waited = np.zeros(size, dtype=np.int64)
    mask = np.zeros(size, dtype=bool)
    for n in (loop := _halving_step.over(range(trips), x=x, waited=waited)):
        mask = x > 1
        x[mask] = x[mask] * 0.5
        waited[~mask] = n
    if loop.finished:
        (mask,) = loop.results
    return x, waited, mask


def cases():
    for trips in (203, 10, 9, 8, 7, 1, 0):
        yield "halving", (40, trips)
    yield "halving", (30_000, 40)
