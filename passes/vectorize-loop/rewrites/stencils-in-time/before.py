"""Two sweeps in a loop over time, which stays; every second point at a time."""

import numpy as np
import numpy.typing as npt


def heat(u: npt.NDArray[np.float64], steps: int):
    n = len(u)
    v = np.zeros(n)
    for t in range(steps):
        for i in range(1, n - 1):
            v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1])
        for i in range(1, n - 1):
            u[i] = v[i]
    return u


def red_black(u: npt.NDArray[np.float64], steps: int):
    n = len(u)
    for t in range(steps):
        for i in range(1, n - 1, 2):
            u[i] = 0.5 * (u[i - 1] + u[i + 1])
        for i in range(2, n - 1, 2):
            u[i] = 0.5 * (u[i - 1] + u[i + 1])
    return u


def wave(u: npt.NDArray[np.float64], v: npt.NDArray[np.float64], dt: float, dx: float, steps: int):
    for t in range(steps):
        for i in range(1, len(u) - 1):
            v[i] += dt * (u[i - 1] - 2 * u[i] + u[i + 1]) / dx**2
        for i in range(len(u) - 1, -1, -1):
            u[i] += dt * v[i]
    return u


def cases():
    for n in (7, 2, 1, 0, 40):
        for steps in (3, 0):
            yield "heat", (np.arange(n * 1.0) ** 2, steps)
            yield "red_black", (np.arange(n * 1.0) ** 2, steps)
            yield "wave", (np.arange(n * 1.0) ** 2, np.zeros(n), 0.1, 0.5, steps)
    both = np.arange(9.0)
    yield "wave", (both, both, 0.1, 0.5, 3)
    yield "wave", (both[1:], both[:-1], 0.1, 0.5, 3)
    yield "wave", (np.ones(1), np.ones(1), 0.1, 0.0, 2)
    yield "wave", (np.ones(4), np.ones(3), 0.1, 0.5, 2), IndexError
