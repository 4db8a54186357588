"""A name that takes over another one's array and is bound anew in the same iteration."""

import numpy as np
import numpy.typing as npt


def wave(u: npt.NDArray[np.float64], v: npt.NDArray[np.float64], trips: int):
    u, v = u * 1.0, v * 1.0
    snapshots = []
    for n in range(trips):
        u, v = v, 0.5 * v - 0.25 * u + 0.1 * v * v
        u = 0.25 * u + np.sin(v)
        snapshots.append(n)
    return v, snapshots


def cases():
    for trips in (0, 1, 4):
        yield "wave", (np.linspace(-1.0, 2.0, 7), np.linspace(1.0, 0.0, 7), trips)
