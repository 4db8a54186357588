"""What a function gives a second name has one name where nothing can tell the two apart, or else keeps both."""

import numpy as np
import numpy.typing as npt

import nprewrite


def flux(left, right):
    star = 0.5 * (left + right)
    # The flux begins as the mean of both sides.
    mean, pressure = star, star * star
    mean -= 0.1 * (left - right)
    return mean, pressure


def relaxed(v, source):
    start = v * 0.5
    w = start
    w = w + source
    return w - start


@nprewrite.jit
def run(u: npt.NDArray[np.float64], steps: int, dt: float):
    for n in range(steps):
        f, p = flux(u, np.roll(u, -1))
        u -= dt * (f - np.roll(f, 1)) + dt * p
        u += dt * relaxed(u, f)
    return u


def cases():
    for size, steps in ((8, 3), (8, 0), (3, 1)):
        yield "run", (1.0 + 0.2 * np.sin(np.arange(size)), steps, 1e-3)
