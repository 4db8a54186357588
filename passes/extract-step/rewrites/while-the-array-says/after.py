"""The condition is computed anew at each trip; range(n) is not.

Hazards: 3.frozen-range
"""

import numpy as np
import nprewrite.runtime as npr


def _settle_trips(tol, change):
    """The numbers of each iteration of the loop in `settle`."""
    while np.abs(change) > tol:
        (change,) = yield ()
    return ()


@npr.step(
    carried={"x": "float64"},
    out={"change": "float64"},
    received=("change",),
    compile=True,
)
def _settle_step(x):
    """One iteration of the loop in `settle`."""
    y = 0.5 * (x + 2 / x)
    change = (y - x).max()
    x = y
    return x, change


def settle(size: int, tol: float):
    x = np.linspace(1, 2, size)
    change = 1.0
    for once in (loop := _settle_step.over(_settle_trips(tol, change), x=x)):
        while np.abs(change) > tol:
            y = 0.5 * (x + 2 / x)
            change = (y - x).max()
            x = y
    if loop.finished:
        (x, change) = loop.results
    return x


def cases():
    yield "settle", (4, 1e-6)
