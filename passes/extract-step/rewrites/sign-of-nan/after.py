"""The compiled sign of nan would be 0."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "float64"},
    inputs={"k": "int32"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _push_step(n, k, x):
    """One iteration of the loop over `n` in `push`."""
    x = npr.sign(x - n) * 0.5 + x + np.sign(k)
    return (x,)


def push(x: npt.NDArray[np.float64], k: npt.NDArray[np.int32], trips: int):
    for n in (loop := _push_step.over(range(trips), k=k, x=x)):
        x = np.sign(x - n) * 0.5 + x + np.sign(k)
    if loop.finished:
        (x,) = loop.results
    return x


def cases():
    k = np.array([-3, 0, 1, 2, 7], np.int32)
    for trips in (9, 1, 0):
        yield "push", (np.array([1.0, -2.0, 0.0, -0.0, np.nan]), k, trips)
