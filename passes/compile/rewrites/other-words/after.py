"""Quotients, remainders and selects of numbers, for which torch.compile has other values or dtypes than NumPy."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    constants={"size": "float64"},
    carried={"x": "float64", "v": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _wrap_step(size, x, v):
    """One iteration of the loop over `_` in `wrap`."""
    x = npr.remainder(x + v, size)
    v = np.where(npr.floor_divide(x, 0.1) > 3, np.float64(0.1), np.float64(0.2)) * npr.sign(v) + np.sqrt(x * x)
    return x, v


def wrap(x: npt.NDArray[np.float64], v: npt.NDArray[np.float64], size: float, trips: int):
    for _ in (loop := _wrap_step.over(range(trips), size=size, x=x, v=v)):
        x = (x + v) % size
        v = np.where(x // 0.1 > 3, 0.1, 0.2) * np.sign(v) + (x * x) ** 0.5
    if loop.finished:
        (x, v) = loop.results
    return x, v


@npr.step(
    counter="n",
    scalars={"scalar_int32": "int32"},
    inputs={"d": "int32"},
    carried={"k": "int32"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _share_step(scalar_int32, d, k):
    """One iteration of the loop over `n` in `share`."""
    k = npr.int_floor_divide((npr.int_floor_divide(k, d) + np.mod(k, 7)  # a comment with % and //
         ), scalar_int32) + npr.int_remainder(k, d)
    return (k,)


def share(k: npt.NDArray[np.int32], d: npt.NDArray[np.int32], trips: int):
    for n in (loop_1 := _share_step.over(range(trips), scalars=lambda n: (n + 2,), d=d, k=k)):
        k = (k // d + np.mod(k, 7)  # a comment with % and //
             ) // (n + 2) + k % d
    if loop_1.finished:
        (k,) = loop_1.results
    return k


def cases():
    x = np.array([0.5, -0.5, 1.0, 7.25, -0.0, np.inf, np.nan, 3.0], np.float64)
    for trips in (9, 1, 0):
        yield "wrap", (x, x[::-1].copy(), 2.5, trips)
        yield "share", (np.array([5, -5, 7, -7, 0, 100], np.int32), np.array([2, 2, -3, -1, 0, 7], np.int32), trips)
