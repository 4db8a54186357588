"""Names bound together become statements of their own, but not where a value is read before its name is bound."""

import numpy as np
import numpy.typing as npt

import nprewrite


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


@nprewrite.jit
def relaxed(u: npt.NDArray[np.float64], w: npt.NDArray[np.float64], until: float):
    t = 0.0
    steps = 0
    while t < until:
        dt = min(0.1 / (1.0 + np.abs(u).max()), until - t)
        steps += drift(u, 2.0, dt)
        t += dt
    return turned(u, w), t, steps


def cases():
    for size, until in ((6, 0.5), (6, 0.0), (1, 0.05)):
        yield "relaxed", (np.linspace(0.0, 1.0, size), np.ones(size), until)
