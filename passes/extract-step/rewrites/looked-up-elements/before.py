"""The trip's element of an array that never changes is a number that Python looks up before the trip."""

import numpy as np
import numpy.typing as npt


def driven(size: int, trips: int, dt: float):
    force = np.sin(np.arange(20) * 0.1)
    x = np.zeros(size)
    v = np.linspace(0, 1, size)
    for t in range(trips):
        v += dt * (force[t] - x)
        x += dt * v
    return x


def waves(ex: npt.NDArray[np.float64], hz: npt.NDArray[np.float64], trips: int):
    source = np.arange(trips) * 1.0
    for t in range(trips):
        ex[0, :] = source[-t - 1] / len(hz)
        ex[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        hz[:-1, :] -= 0.7 * (ex[1:, :] - ex[:-1, :]).astype(hz.dtype)
    return hz


def cases():
    for trips in (0, 1, 9, 20):
        yield "driven", (7, trips, 0.1)
    yield "driven", (7, 21, 0.1), IndexError
    for trips in (0, 1, 9):
        yield "waves", (np.ones((5, 4)), np.full((5, 4), 2.0), trips)
    yield "waves", (np.ones(5), np.ones(5), 3), IndexError
