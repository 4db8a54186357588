"""Every number of trips is run exactly: full chunks, then single steps for the rest.

Hazards: 3.remainder, 3.zero-trips
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    carried={"k": "int64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _count_step(k):
    """One iteration of the loop over `_` in `count`."""
    k = k + 1
    return (k,)


def count(size: int, trips: int):
    k = np.zeros(size, dtype=np.int64)
    for _ in (loop := _count_step.over(range(trips), k=k)):
        k = k + 1
    if loop.finished:
        (k,) = loop.results
    return k


@npr.step(
    counter="n",
    scalars={"n": "float64"},
    inputs={"x": "float64"},
    carried={"y": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _polynomial_step(n, x, y):
    """One iteration of the loop over `n` in `polynomial`."""
    y = y * x + n
    return (y,)


def polynomial(x: npt.NDArray[np.float64], trips: int):
    y = np.zeros_like(x)
    for n in (loop_1 := _polynomial_step.over(range(trips), x=x, y=y)):
        y = y * x + n
    if loop_1.finished:
        (y,) = loop_1.results
    return y


def cases():
    for trips in (10, *range(26), 203):
        yield "count", (3, trips)
    for trips in (203, 10, 9, 8, 7, 4, 1, 0):
        yield "polynomial", (np.linspace(-1, 1, 9), trips)
