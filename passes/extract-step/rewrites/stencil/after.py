"""Neighbours are read from slices: a step over whole arrays, one trip a call."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    state={"u": "float64"},
    looped=True,
    compile=True,
)
def _heat_step(u):
    """One iteration of the loop over `_` in `heat`."""
    u[1:-1] = 0.5 * (u[:-2] + u[2:])
    return (u,)


def heat(u: npt.NDArray[np.float64], trips: int):
    for _ in _heat_step.over(range(trips), u=u):
        u[1:-1] = 0.5 * (u[:-2] + u[2:])
    return u


@npr.step(
    counter="_",
    carried={"u": "float64"},
    looped=True,
    compile=True,
)
def _jacobi_step(u):
    """One iteration of the loop over `_` in `jacobi`."""
    v = u.copy()
    v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    u = v
    return (u,)


def jacobi(size: int, trips: int):
    u = np.zeros((size, size))
    u[0] = 1.0
    for _ in (loop := _jacobi_step.over(range(trips), u=u)):
        v = u.copy()
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u = v
    if loop.finished:
        (u,) = loop.results
    return u


@npr.step(
    counter="_",
    state={"c": "int64"},
    looped=True,
    compile=True,
)
def _running_step(c):
    """One iteration of the loop over `_` in `running`."""
    c[1:] += c[:-1]
    return (c,)


def running(c: npt.NDArray[np.int64], trips: int):
    for _ in _running_step.over(range(trips), c=c):
        c[1:] += c[:-1]
    return c


def cases():
    for trips in (9, 8, 1, 0):
        yield "heat", (np.arange(8.0) ** 2, trips)
        yield "jacobi", (6, trips)
        yield "running", (np.arange(6), trips)
    yield "heat", ((np.arange(8.0) ** 2)[::-1], 9)
    yield "heat", (np.zeros(2), 9)
    yield "heat", (np.zeros(1), 9)
    yield "heat", (np.zeros(0), 9)
    yield "heat", (np.array(1.0), 9), IndexError
    yield "heat", (np.arange(12.0).reshape(4, 3), 9)
    yield "jacobi", (2, 9)
    yield "jacobi", (1, 9)
    yield "running", (np.arange(6)[::-2], 70)
