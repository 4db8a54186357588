"""NumPy adds narrow integers up in int64; the compiled sum is told to."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    carried={"x": "int32", "k": "int64"},
    ranks={"x": 1, "k": 1},
    compile=True,
)
def _sums_step(x, k):
    """One iteration of the loop over `n` in `sums`."""
    x = -x
    k = k + np.cumsum(x, dtype=np.int64) - x.cumprod(dtype=np.int64)
    return x, k


def sums(size: int, trips: int):
    k = np.zeros(size, dtype=np.int64)
    x = np.full(size, 2**30, dtype=np.int32)
    for n in (loop := _sums_step.over(range(trips), x=x, k=k)):
        x = -x
        k = k + np.cumsum(x) - x.cumprod()
    if loop.finished:
        (x, k) = loop.results
    return k


def cases():
    yield "sums", (9, 4)
    yield "sums", (1, 1)
    yield "sums", (3, 0)
