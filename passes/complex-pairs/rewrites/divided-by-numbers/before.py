"""Real numbers as divisors: NumPy divides by a complex number with a zero part, and by zero without its sign.

Hazards: 2.division
"""

import numpy as np
import numpy.typing as npt


def negative(z: npt.NDArray[np.complex128], below: npt.NDArray[np.bool_], trips: int):
    for n in range(trips):
        z = z / -2
        below[...] = np.sqrt(z).imag < 0
    return z


def zero(z: npt.NDArray[np.complex128], above: npt.NDArray[np.bool_], trips: int):
    for n in range(trips):
        above[...] = z.imag >= 0.5
        z = z / 0
    return z


def negative_zero(z: npt.NDArray[np.complex64], above: npt.NDArray[np.bool_], trips: int):
    for n in range(trips):
        above[...] = z.real >= 0.5
        z /= -0.0


def smallest(z: npt.NDArray[np.complex64], trips: int):
    for n in range(trips):
        z /= 1e-40


def cases():
    z = np.array([0j, -0.0 + 1j, -0.0 - 1j, 1 - 0j, -1 - 0j, 1 + 2j, -1 - 2j, np.inf - 1j, 1j * np.inf, np.nan])
    for trips in (0, 1, 9):
        yield "negative", (z.copy(), np.zeros(10, dtype=bool), trips)
        yield "zero", (z.copy(), np.zeros(10, dtype=bool), trips)
        yield "negative_zero", (z.astype(np.complex64), np.zeros(10, dtype=bool), trips)
        yield "smallest", (z.astype(np.complex64), trips)
