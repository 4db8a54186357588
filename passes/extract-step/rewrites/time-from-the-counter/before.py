"""A Python number computed from the loop variable each trip, and used under two names."""

import numpy as np
import numpy.typing as npt


def heat(x: npt.NDArray[np.float32], dt: float, trips: int):
    for n in range(trips):
        t = n * dt
        half = t / 2
        x = x * 0.5 + t - half
    return x


def cases():
    for trips in (9, 8, 1, 0):
        yield "heat", (np.arange(5, dtype=np.float32), 0.1, trips)
    yield "heat", (np.arange(5, dtype=np.float32), 3, 9)
