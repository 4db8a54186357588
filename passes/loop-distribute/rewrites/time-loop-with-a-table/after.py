"""A source that time alone decides, tabulated beside the step, and numbers that are taken of each state."""

import numpy as np
import nprewrite.runtime as npr


@npr.sweep
def _heat_sweep(steps, u, dt, dx, source):
    """The sweep in `heat`."""
    for k in range(steps - 1):
        u[k + 1, 1:-1] = u[k, 1:-1] + dt / dx**2 * (u[k, 2:] - 2 * u[k, 1:-1] + u[k, :-2]) + source[k, 1:-1]


@npr.native
def _heat_loop(steps, slow, mean):
    """The loop in `heat`."""
    for k in range(steps - 1):
        slow = 0.9 * slow + mean[k]
    return slow


def heat(steps: int, n: int, dt: float, dx: float):
    x = np.linspace(0.0, 1.0, n)
    u = np.zeros((steps, n))
    source = np.zeros((steps, n))
    mean = np.zeros(steps)
    slow = 0.0
    if (
        npr.quiet()
        and type(dt) is float
        and type(dx) is float
        and source.shape[1] >= 2
        and steps >= 1
        and abs(dx) < 1e75
        and dx ** 2 != 0
    ):
        with np.errstate(all="ignore"):
            t = np.arange(steps - 1) * dt
            source[:-1, :] = np.exp(-x) * np.sin(t[:, None])
            _heat_sweep(steps, u, dt, dx, source)
            total = np.sum(u[1:, :], axis=1)
            mean[:-1] = total / source.shape[1]
            slow = _heat_loop(steps, slow, mean)
    else:
        for k in range(steps - 1):
            t = k * dt
            source[k, :] = np.exp(-x) * np.sin(t)
            u[k + 1, 1:-1] = u[k, 1:-1] + dt / dx**2 * (u[k, 2:] - 2 * u[k, 1:-1] + u[k, :-2]) + source[k, 1:-1]
            mean[k] = u[k + 1, :].mean()
            slow = 0.9 * slow + mean[k]
    return u, source, mean, slow


def cases():
    for steps, n in ((30, 9), (2, 3), (1, 4), (0, 2)):
        yield "heat", (steps, n, 1e-3, 0.1)
    yield "heat", (20, 5, 1e-3, 0.0), ZeroDivisionError
    yield "heat", (20, 5, 1e-3, 1e200), OverflowError
