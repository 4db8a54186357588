"""A filter of one pole, and what is measured of its samples and of its output."""

import numpy as np
import numpy.typing as npt


def resonate(x: npt.NDArray[np.complex128], pole: complex):
    n = len(x)
    z = np.zeros(n, dtype=np.complex128)
    level = np.zeros(n)
    loudest = 0.0
    for i in range(1, n):
        driven = np.tan(x[i]) * (0.5 + 0.25 * i)
        z[i] = pole * z[i - 1] + driven
        power = np.abs(z[i])
        loudest = max(0.5 * loudest, power)
        level[i] = loudest / (1.0 + np.abs(driven))
    return z, level, loudest


def cases():
    for n in (40, 2, 1, 0):
        yield "resonate", (np.exp(1j * np.arange(n)), 0.9 * np.exp(0.3j))
    yield "resonate", (np.full(20, np.inf + 0j), 0.5j)
