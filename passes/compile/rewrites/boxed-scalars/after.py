"""Scalars that change at each trip are boxed in the dtype that weak promotion gives: float32 arrays stay float32.

Hazards: 3.box-dtype, 3.counter
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"scalar_float32": "float32", "scalar_float32_1": "float32", "n": "int64"},
    carried={"x": "float32", "age": "int64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _drive_step(scalar_float32, scalar_float32_1, n, x, age):
    """One iteration of the loop over `n` in `drive`."""
    x = x + scalar_float32 - x * scalar_float32_1
    age = age + n
    return x, age


def drive(x: npt.NDArray[np.float32], dt: float, trips: int):
    age = np.zeros(x.shape, dtype=np.int64)
    for n in (loop := _drive_step.over(
        range(trips),
        scalars=lambda n: (dt * n, 1 / (n + 1), n),
        x=x,
        age=age,
    )):
        x = x + dt * n - x * (1 / (n + 1))
        age = age + n
    if loop.finished:
        (x, age) = loop.results
    return x, age


@npr.step(
    counter="n",
    scalars={"n": "int8"},
    carried={"k": "int8"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _small_step(n, k):
    """One iteration of the loop over `n` in `small`."""
    k = k + n
    return (k,)


def small(k: npt.NDArray[np.int8], trips: int):
    for n in (loop_1 := _small_step.over(range(trips), k=k)):
        k = k + n
    if loop_1.finished:
        (k,) = loop_1.results
    return k


def cases():
    row = np.linspace(-1, 1, 7, dtype=np.float32)
    for trips in (203, 16, 9, 8, 1, 0):
        yield "drive", (row, 0.1, trips)
    yield "drive", (row, 1, 9)
    yield "drive", (row, np.float64(0.1), 9)
    yield "small", (np.arange(5, dtype=np.int8), 20)
    yield "small", (np.arange(5, dtype=np.int8), 128)
    yield "small", (np.arange(5, dtype=np.int8), 129), OverflowError
