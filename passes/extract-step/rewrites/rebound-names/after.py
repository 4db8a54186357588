"""The names are bound anew at each trip: the caller's arrays do not change.
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    inputs={"r": "float64"},
    carried={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _logistic_step(r, x):
    """One iteration of the loop over `_` in `logistic`."""
    x = r * x * (1 - x)
    return (x,)


def logistic(x: npt.NDArray[np.float64], r: npt.NDArray[np.float64], trips: int):
    for _ in (loop := _logistic_step.over(range(trips), r=r, x=x)):
        x = r * x * (1 - x)
    if loop.finished:
        (x,) = loop.results
    return x


@npr.step(
    counter="_",
    carried={"x": "float64", "y": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _pair_step(x, y):
    """One iteration of the loop over `_` in `pair`."""
    x, y = 0.5 * (x - y), 0.5 * (y + x)
    return x, y


def pair(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], trips: int):
    for _ in (loop_1 := _pair_step.over(range(trips), x=x, y=y)):
        x, y = 0.5 * (x - y), 0.5 * (y + x)
    if loop_1.finished:
        (x, y) = loop_1.results
    return x, y


def swapped(size: int, trips: int):
    x = np.zeros(size)
    y = np.linspace(0, 1, size)
    for _ in range(trips):
        x, y = y, x + 0.5 * y
    return x, y


def cases():
    u = np.linspace(0, 1, 12)
    for trips in (9, 203, 16, 8, 7, 1, 0):
        yield "logistic", (u.copy(), 3 + u, trips)
        yield "pair", (u.copy(), -u, trips)
        yield "swapped", (5, trips)
    same = u.copy()
    yield "logistic", (same, same, 9)
    yield "pair", (same, same, 9)
    yield "swapped", (0, 9)
    yield "logistic", (u.reshape(3, 4).T, u.reshape(4, 3), 9)
    yield "logistic", (u.reshape(3, 4), np.arange(4.0), 9)
    yield "logistic", (u, np.float64(3.0), 9)
    yield "logistic", (np.array(0.5), np.array(3.0), 9)
    yield "logistic", (0.5, 3.0, 9)
    yield "logistic", (np.zeros((2, 0)), np.zeros((2, 0)), 9)
    yield "logistic", (u, np.zeros(5), 9), ValueError
    yield "logistic", (u, np.zeros(5), 0)
    yield "logistic", (np.float32([0.5, 0.1]), np.float32([3, 2]), 9)
    yield "logistic", (np.matrix([[0.5, 0.1], [0.2, 0.3]]), np.ones((2, 2)), 3)
    yield "logistic", (np.ma.masked_array([0.5, 0.1], mask=[0, 1]), np.ones(2), 3)
