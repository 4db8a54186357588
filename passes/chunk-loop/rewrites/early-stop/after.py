"""The mask empties long before the last trip; the counter still ends as it would have.

Hazards: 3.idempotent, 3.variable-after
"""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    state={"x": "float64", "last": "int64"},
    lanewise=True,
    chunked=True,
    live="m",
    compile=True,
)
def _halving_step(n, x, last):
    """One iteration of the loop over `n` in `halving`."""
    m = x > 1
    x = np.where(m, x * 0.5, x)
    last = np.where(m, n, last)
    return x, last, m


def halving(size: int, trips: int):
    x = np.linspace(0, 50, size)
    last = np.full(size, -1, dtype=np.int64)
    for n in (loop := _halving_step.over(range(trips), x=x, last=last)):
        m = x > 1
        x[m] = x[m] * 0.5
        last[m] = n
    if loop.finished:
        n = loop.counter
    return x, last, n


def cases():
    for trips in (203, 10, 9, 8, 7, 1):
        yield "halving", (40, trips)
    yield "halving", (30_000, 100)
    yield "halving", (1, 100)
    yield "halving", (0, 100)
