"""A row and a column beside a matrix: the step is extracted, its shapes are looked at when it runs."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    inputs={"row": "float64"},
    carried={"A": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _wave_step(row, A):
    """One iteration of the loop over `n` in `wave`."""
    A = 0.5 * A + row - np.tanh(A) * 0.25
    return (A,)


def wave(A: npt.NDArray[np.float64], row: npt.NDArray[np.float64], trips: int):
    for n in (loop := _wave_step.over(range(trips), row=row, A=A)):
        A = 0.5 * A + row - np.tanh(A) * 0.25
    if loop.finished:
        (A,) = loop.results
    return A


def cases():
    for trips in (9, 8, 1, 0):
        yield "wave", (np.arange(12.0).reshape(3, 4), np.arange(4.0), trips)
    yield "wave", (np.arange(4.0), np.arange(12.0).reshape(3, 4), 9)
    yield "wave", (np.arange(3.0)[:, None], np.arange(4.0), 9)
    yield "wave", (np.arange(4.0), np.arange(4.0), 9)
    yield "wave", (np.arange(4.0), np.arange(3.0), 9), ValueError
    yield "wave", (np.arange(4.0), np.float64(3.0), 9)
    yield "wave", (np.arange(4.0), np.array(3.0), 9)
