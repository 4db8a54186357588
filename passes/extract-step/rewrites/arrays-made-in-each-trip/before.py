"""Every iteration makes its arrays anew, as long as those that the loop changes."""

import numpy as np
import numpy.typing as npt


def decayed(size: int, trips: int):
    u = np.ones(size)
    for n in range(trips):
        flow = np.zeros(len(u) + 1)
        flow[1:-1] = 0.25 * (u[1:] - u[:-1])
        weights = np.full(u.shape, 0.5) + np.array([0.5])
        u = u + weights * (flow[1:] - flow[:-1]) - 0.125 * u * np.arange(u.size)
    return u


def halved(u: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        half = np.empty_like(u)
        half[...] = 0.5 * u  # however many axes it has
        u = np.roll(half, 1)
    return u


def cases():
    for shape in ((), (3,), (2, 3)):
        yield "halved", (np.ones(shape), 3)
    yield "decayed", (5, 3)
    yield "decayed", (1, 2)
    yield "decayed", (4, 0)
    yield "decayed", (0, 2)
