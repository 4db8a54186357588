"""Loops with an ``else``, which runs where they end without ``break``."""

import numpy as np
import numpy.typing as npt


def kepler(mean: npt.NDArray[np.float64], e: float, out: npt.NDArray[np.float64], trips: int):
    for i in range(len(mean)):
        x = mean[i]
        for _ in range(trips):
            dx = (x - e * x * x - mean[i]) / (1 - 2 * e * x)
            x -= dx
            if abs(dx) < 1e-12:
                break
        else:
            x = -1.0
        out[i] = x
    return out


def primes(n: int, found: npt.NDArray[np.int64]):
    count = 0
    for k in range(2, n):
        j = 0
        while j < count:
            if k % found[j] == 0:
                break
            j += 1
        else:
            if count == len(found):
                break
            found[count] = k
            count += 1
            continue
        found[0] = 2
    else:
        count = -count
    return count


def cases():
    yield "kepler", (np.linspace(0, 0.5, 7), 0.1, np.zeros(7), 20)
    yield "kepler", (np.linspace(0, 0.5, 7), 0.1, np.zeros(7), 2)
    yield "primes", (40, np.zeros(12, int))
    yield "primes", (40, np.zeros(5, int))
    yield "primes", (2, np.zeros(5, int))
