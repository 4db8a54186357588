"""What a function gives a second name has one name where nothing can tell the two apart, or else keeps both."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


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


@npr.step(
    counter="n",
    constants={"dt": "float64"},
    state={"u": "float64"},
    compile=True,
)
def _run_step(dt, u):
    """One iteration of the loop over `n` in `run`."""
    flux_right = np.roll(u, -1)
    f = 0.5 * (u + flux_right)
    p = f * f
    f -= 0.1 * (u - flux_right)
    u -= dt * (f - np.roll(f, 1)) + dt * p
    relaxed_start = u * 0.5
    relaxed_w = relaxed_start
    relaxed_w = relaxed_w + f
    relaxed_value = relaxed_w - relaxed_start
    u += dt * relaxed_value
    return (u,)


@nprewrite.jit
def run(u: npt.NDArray[np.float64], steps: int, dt: float):
    for n in _run_step.over(range(steps), dt=dt, u=u):
        flux_right = np.roll(u, -1)
        f = 0.5 * (u + flux_right)
        p = f * f
        f -= 0.1 * (u - flux_right)
        del flux_right
        u -= dt * (f - np.roll(f, 1)) + dt * p
        relaxed_start = u * 0.5
        relaxed_w = relaxed_start
        relaxed_w = relaxed_w + f
        relaxed_value = relaxed_w - relaxed_start
        del relaxed_start, relaxed_w
        u += dt * relaxed_value
        del relaxed_value
    return u


def cases():
    for size, steps in ((8, 3), (8, 0), (3, 1)):
        yield "run", (1.0 + 0.2 * np.sin(np.arange(size)), steps, 1e-3)
