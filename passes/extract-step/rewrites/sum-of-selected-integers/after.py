"""A sum over a selection is one over the whole array in a step, which level exact leaves alone."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    carried={"x": "int64"},
    out={"total": "int64"},
    aligned=("x",),
    ranks={"x": 1},
    compile=True,
)
def _history_step(n, x):
    """One iteration of the loop over `n` in `history`."""
    total = np.where(x > 1, x, 0).sum()
    x = x - n
    return x, total


def history(size: int, trips: int):
    x = np.arange(size)
    total = 0
    for n in (loop := _history_step.over(range(trips), x=x)):
        total = x[x > 1].sum()
        x = x - n
    if loop.finished:
        (x, total) = loop.results
    return x, total


def cases():
    for size, trips in ((9, 4), (1, 1), (4, 0)):
        yield "history", (size, trips)
