"""Names first bound inside the loop and read after it; unbound without trips, an older value where there was one.

Hazards: 3.zero-trips, 3.variable-after
"""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    carried={"x": "float64"},
    out={"change": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _last_change_step(x):
    """One iteration of the loop over `_` in `last_change`."""
    change = 0.5 * (1 - x)
    x = x + change
    return x, change


def last_change(size: int, trips: int):
    x = np.linspace(0, 1, size)
    for _ in (loop := _last_change_step.over(range(trips), x=x)):
        change = 0.5 * (1 - x)
        x = x + change
    if loop.finished:
        (x, change) = loop.results
    return x, change


@npr.step(
    counter="_",
    carried={"x": "float64"},
    out={"mask": "bool"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _older_value_step(x):
    """One iteration of the loop over `_` in `older_value`."""
    mask = x < 0.5
    x = np.where(mask, x + 0.125, x * 0.5)
    return x, mask


def older_value(size: int, trips: int):
    x = np.linspace(0, 1, size)
    mask = None
    for _ in (loop_1 := _older_value_step.over(range(trips), x=x)):
        mask = x < 0.5
        x = np.where(mask, x + 0.125, x * 0.5)
    if loop_1.finished:
        (x, mask) = loop_1.results
    return x, mask


def cases():
    for trips in (203, 9, 8, 1):
        yield "last_change", (7, trips)
    yield "last_change", (7, 0), UnboundLocalError
    for trips in (203, 9, 8, 1, 0):
        yield "older_value", (7, trips)
    yield "older_value", (0, 9)
