"""Two integers divide in float64; torch would take float32, so that the operands are converted before."""

import numpy as np
import numpy.typing as npt


def shares(k: npt.NDArray[np.int64], z: npt.NDArray[np.float64], trips: int):
    for n in range(1, trips):
        z[...] = k / 3 + (k + n) / 7 + 3 / (k + 1) + np.divide(k, 3) + np.hypot(k, 2) + k * 0.1 / 3
        z += (k > 2) / 3
        z += k[1:].sum() / 3 + k[0] / 7
        k[0] += n
    return z


def harmonic(k: npt.NDArray[np.int32], trips: int):
    x = np.zeros(k.shape)
    for n in range(1, trips):
        x = x + k / (n + 2)
    return x


def cases():
    for trips in (9, 2, 1):
        yield "shares", (np.arange(5), np.zeros(5), trips)
        yield "harmonic", (np.arange(5, dtype=np.int32), trips)
