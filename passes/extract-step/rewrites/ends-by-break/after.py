"""`break` where the arrays say so, at the end of an iteration; `k` and the last numbers are read after it."""

import numpy as np
import nprewrite.runtime as npr


def _smooth_trips(most, tolerance):
    """The numbers of each iteration of the loop in `smooth`."""
    for k in range(most):
        (change,) = yield ()
        if change < tolerance:
            break
    return (k,)


@npr.step(
    carried={"u": "float64"},
    out={"change": "float64"},
    received=("change",),
    ranks={"u": 1},
    compile=True,
)
def _smooth_step(u):
    """One iteration of the loop in `smooth`."""
    new = 0.5 * u + 0.25 * (np.roll(u, 1) + np.roll(u, -1))
    change = np.abs(new - u).max()
    u = new
    return u, change


def smooth(size: int, tolerance: float, most: int):
    u = np.sin(np.arange(size) * 1.0)
    for once in (loop := _smooth_step.over(_smooth_trips(most, tolerance), u=u)):
        for k in range(most):
            new = 0.5 * u + 0.25 * (np.roll(u, 1) + np.roll(u, -1))
            change = np.abs(new - u).max()
            u = new
            if change < tolerance:
                break
    if loop.finished:
        (k,) = loop.numbers
        (u, change) = loop.results
    return u, k, change


def cases():
    yield "smooth", (30, 1e-2, 100)
    yield "smooth", (30, 1e-9, 7)
    yield "smooth", (30, 9.0, 7)
    yield "smooth", (30, 9.0, 0), UnboundLocalError
