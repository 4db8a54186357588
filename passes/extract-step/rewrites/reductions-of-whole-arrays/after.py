"""Sums, extremes and norms of whole arrays, over one axis or all; a number that is read after the loop."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"scalar_float64": npr.scalar("float64")},
    carried={"x": "float64"},
    out={"change": "float64"},
    compile=True,
)
def _balance_step(scalar_float64, x):
    """One iteration of the loop over `n` in `balance`."""
    change = np.abs(x - x.mean(axis=0)).max()
    x = x / (1 + x.sum(axis=0, keepdims=True)) + scalar_float64
    return x, change


def balance(x: npt.NDArray[np.float64], trips: int):
    for n in (loop := _balance_step.over(
        range(trips),
        scalars=lambda n: (n * np.float64(0),),
        x=x,
    )):
        change = np.abs(x - x.mean(axis=0)).max()
        x = x / (1 + x.sum(axis=0, keepdims=True)) + n * np.float64(0)
    if loop.finished:
        (x, change) = loop.results
    return x, change


@npr.step(
    counter="_",
    state={"x": "float32"},
    compile=True,
)
def _sphere_step(x):
    """One iteration of the loop over `_` in `sphere`."""
    length = np.linalg.norm(x)
    x /= length
    x[0] = x.min() + 0.5 * length
    return (x,)


def sphere(x: npt.NDArray[np.float32], trips: int):
    for _ in _sphere_step.over(range(trips), x=x):
        length = np.linalg.norm(x)
        x /= length
        x[0] = x.min() + 0.5 * length
    return x


@npr.step(
    counter="_",
    carried={"A": "float64", "x": "float64"},
    ranks={"A": 2, "x": 1},
    grows=True,
    compile=True,
)
def _follow_step(A, x):
    """One iteration of the loop over `_` in `follow`."""
    x = A @ x
    x = x / np.sqrt(x.dot(x))
    A = 0.5 * (A + A.T)
    return A, x


def follow(size: int, trips: int):
    A = np.eye(size) * 0.5 + np.arange(1.0 * size**2).reshape(size, size) / 10
    x = np.ones(size)
    for _ in (loop_1 := _follow_step.over(range(trips), A=A, x=x)):
        x = A @ x
        x = x / x.dot(x) ** 0.5
        A = 0.5 * (A + A.T)
    if loop_1.finished:
        (A, x) = loop_1.results
    return x


def cases():
    for trips in (9, 1):
        yield "balance", (np.arange(12.0).reshape(4, 3), trips)
        yield "sphere", (np.arange(1, 7, dtype=np.float32), trips)
        yield "follow", (3, trips)
    yield "balance", (np.ones(4), 3)
    yield "balance", (np.ones(4), 0), UnboundLocalError
    yield "sphere", (np.zeros((0,), np.float32), 3), ValueError
    yield "sphere", (np.array([np.nan, 1], np.float32), 3)
    yield "follow", (3, 0)
