"""A source that time alone decides, tabulated beside the step, and numbers that are taken of each state."""

import numpy as np


def heat(steps: int, n: int, dt: float, dx: float):
    x = np.linspace(0.0, 1.0, n)
    u = np.zeros((steps, n))
    source = np.zeros((steps, n))
    mean = np.zeros(steps)
    slow = 0.0
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
