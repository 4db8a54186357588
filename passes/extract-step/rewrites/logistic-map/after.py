"""The logistic map over an array of parameters, with a mask on divergence.

Hazards: 3.zero-trips, 3.remainder
"""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    scalars={"n": "int64"},
    inputs={"r": "float64"},
    state={"x": "float64", "last": "int64"},
    lanewise=True,
    chunked=True,
    live="bounded",
    compile=True,
)
def _logistic_step(n, r, x, last):
    """One iteration of the loop over `n` in `logistic`."""
    bounded = np.abs(x) < 1e3
    x = np.where(bounded, r * x * (1 - x), x)
    last = np.where(bounded, n, last)
    return x, last, bounded


def logistic(size: int, trips: int, start: float = 0.5):
    r = np.linspace(0.0, 6.0, size)
    x = np.full(size, start)
    last = np.zeros(size, dtype=np.int64)
    for n in _logistic_step.over(range(trips), r=r, x=x, last=last):
        bounded = np.abs(x) < 1e3
        x[bounded] = r[bounded] * x[bounded] * (1 - x[bounded])
        last[bounded] = n
    return x, last


def cases():
    for trips in (10, 203, 17, 16, 15, 9, 8, 7, 4, 2, 1, 0, -3):
        yield "logistic", (31, trips)
    for start in (0.0, -0.0, 1.0, 2.5, 1e3, np.inf, -np.inf, np.nan):
        yield "logistic", (31, 20, start)
    yield "logistic", (1, 20)
    yield "logistic", (0, 20)
    yield "logistic", (30_000, 60)
    yield "logistic", (31, np.int64(20))
    yield "logistic", (31, np.uint8(20))
    yield "logistic", (31, True)
    yield "logistic", (31, 20, np.float64(0.25))
    yield "logistic", (31, 2.0), TypeError
