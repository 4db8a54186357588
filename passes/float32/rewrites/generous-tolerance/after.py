"""A tolerance that float32 can reach."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


def _fixed_point_trips(change):
    """The numbers of each iteration of the loop in `fixed_point`."""
    while change > 0.001:
        (max_value,) = yield ()
        change = float(max_value)
    return ()


@npr.step(
    carried={"x": "float32"},
    out={"max_value": "float32"},
    received=("max_value",),
    compile=True,
)
def _fixed_point_step(x):
    """One iteration of the loop in `fixed_point`."""
    y = np.cos(x)
    max_value = np.abs(y - x).max()
    x = y
    return x, max_value


@nprewrite.jit(level="fast", precision="float32")
def fixed_point(n: int):
    x = np.linspace(0, 1, n, dtype=np.float32)
    change = 1.0
    for once in (loop := _fixed_point_step.over(_fixed_point_trips(change), x=x)):
        while change > 1e-3:
            y = np.cos(x)
            max_value = np.abs(y - x).max()
            change = float(max_value)
            x = y
    if loop.finished:
        (x, max_value) = loop.results
    del loop
    for _ in range(9):
        y = np.cos(x)
        if np.abs(y - x).max() < 1e-5:
            break
        x = y
    return x


def cases():
    for n in (1, 12):
        yield "fixed_point", (n,)
