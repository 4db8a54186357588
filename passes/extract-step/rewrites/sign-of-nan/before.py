"""The compiled sign of nan would be 0."""

import numpy as np
import numpy.typing as npt


def push(x: npt.NDArray[np.float64], k: npt.NDArray[np.int32], trips: int):
    for n in range(trips):
        x = np.sign(x - n) * 0.5 + x + np.sign(k)
    return x


def cases():
    k = np.array([-3, 0, 1, 2, 7], np.int32)
    for trips in (9, 1, 0):
        yield "push", (np.array([1.0, -2.0, 0.0, -0.0, np.nan]), k, trips)
