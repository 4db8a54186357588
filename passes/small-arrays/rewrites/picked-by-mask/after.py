"""Elements that a mask picks, also from columns: how many they are is counted in each trip."""

import numpy as np
import nprewrite.runtime as npr


@npr.native
def _clipped_loop(n, x, total):
    """The loop in `clipped`."""
    for i in range(1, n):
        row = 0.5 * x[i - 1] + 1.0
        x[i] = row
        total[i] = row[row > 1.6].sum()


def clipped(n: int, m: int):
    x = np.ones((n, m))
    total = np.zeros(n)
    _clipped_loop(n, x, total)
    return x, total


@npr.native
def _flock_loop(birds, x, radius, mean, heading):
    """The loop in `flock`."""
    for b in range(birds):
        near = (x - x[b]) ** 2 < radius**2
        mean[b] = np.arctan2(np.sum(np.sin(heading[near])), np.sum(np.cos(heading[near])))


def flock(birds: int, radius: float):
    x = np.linspace(0, 1, birds).reshape(birds, 1) ** 2
    heading = 3 * np.cos(7 * np.arange(birds).reshape(birds, 1))
    mean = np.zeros((birds, 1))
    _flock_loop(birds, x, radius, mean, heading)
    return mean


def cases():
    yield "clipped", (5, 3)
    yield "flock", (9, 0.2)
    yield "flock", (0, 0.2)
