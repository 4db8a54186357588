"""Names bound together become statements of their own, but not where a value is read before its name is bound."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


def drift(state, width, dt):
    h, dx, count = state, width / 2, 0
    slope = (np.roll(h, -1) - h) / dx
    slope, count = slope * dt, count + 1
    h += slope
    return count


def turned(a, b):
    c, d = a * 0.5, b
    c, d = d, c
    return c - d


def _relaxed_trips(u, t, until, steps):
    """The numbers of each iteration of the loop in `relaxed`."""
    value_1 = None
    while t < until:
        if value_1 is None:
            value_1 = np.abs(u).max()
        value = 0.1 / (1.0 + value_1)
        dt = min(value, until - t)
        drift_dx = 2.0 / 2
        drift_count = 0
        drift_count = drift_count + 1
        (value_1,) = yield (drift_dx, dt)
        steps += drift_count
        t += dt
    return (steps, t)


@npr.step(
    scalars={"drift_dx": "float64", "dt": "float64"},
    state={"u": "float64"},
    out={"value_1": "float64"},
    received=("value_1",),
    compile=True,
)
def _relaxed_step(drift_dx, dt, u):
    """One iteration of the loop in `relaxed`."""
    drift_h = u
    drift_slope = (np.roll(drift_h, -1) - drift_h) / drift_dx
    drift_slope = drift_slope * dt
    drift_h += drift_slope
    value_1 = np.abs(u).max()
    return u, value_1


@npr.step(
    inputs={"u": "float64", "w": "float64"},
    out={"turned_value": "float64"},
    once=True,
    compile=True,
)
def _relaxed_region(u, w):
    """Lines of `relaxed`."""
    turned_c = u * 0.5
    turned_d = w
    turned_c, turned_d = (turned_d, turned_c)
    turned_value = turned_c - turned_d
    return (turned_value,)


@nprewrite.jit
def relaxed(u: npt.NDArray[np.float64], w: npt.NDArray[np.float64], until: float):
    t = 0.0
    steps = 0
    for once in (loop := _relaxed_step.over(_relaxed_trips(u, t, until, steps), u=u)):
        while t < until:
            value = 0.1 / (1.0 + np.abs(u).max())
            dt = min(value, until - t)
            del value
            drift_h = u
            drift_dx = 2.0 / 2
            drift_count = 0
            drift_slope = (np.roll(drift_h, -1) - drift_h) / drift_dx
            del drift_dx
            drift_slope = drift_slope * dt
            drift_count = drift_count + 1
            drift_h += drift_slope
            del drift_h, drift_slope
            steps += drift_count
            del drift_count
            t += dt
    if loop.finished:
        (steps, t) = loop.numbers
    del loop
    for once_1 in (region := _relaxed_region.over(range(1), u=u, w=w)):
        turned_c = u * 0.5
        turned_d = w
        turned_c, turned_d = (turned_d, turned_c)
        turned_value = turned_c - turned_d
        del turned_c, turned_d
    if region.finished:
        (turned_value,) = region.results
    return turned_value, t, steps


def cases():
    for size, until in ((6, 0.5), (6, 0.0), (1, 0.05)):
        yield "relaxed", (np.linspace(0.0, 1.0, size), np.ones(size), until)
