"""Integer powers; z**2 is z*z, higher ones round in their own way, negative ones of 0 are nan.

Hazards: 2.power
"""

import numpy as np
import numpy.typing as npt


def cubic(z: npt.NDArray[np.complex128], trips: int):
    for _ in range(trips):
        z = (z**3 - z**2 + z**1 - z**0) * 0.3
    return z


def negative(z: npt.NDArray[np.complex64], trips: int):
    for _ in range(trips):
        z = z**-1 + z**-2 * 0.1 + 0.5
    return z


def higher(z: npt.NDArray[np.complex128], trips: int):
    for _ in range(trips):
        z = z**5 * 0.5 + np.power(z, 7) * 0.25 + 0.1j
    return z


def fractional(z: npt.NDArray[np.complex128], p: float, trips: int):
    for _ in range(trips):
        z = z**0.5 + z**p * (0.1 + 0j)
    return z


def cases():
    angle = np.linspace(0, 6, 13)
    z = np.cos(angle) + 1j * np.sin(angle)
    for trips in (9, 8, 1, 0):
        yield "cubic", (z * 0.9, trips)
        yield "negative", ((z * 1.1).astype(np.complex64), trips)
        yield "higher", (z * 0.9, trips)
        yield "fractional", (z, 1.5, trips)
    yield "cubic", (np.array([0j, complex(-0.0, 0.0), 1e200, 1e-200j]), 1)
    yield "negative", (np.zeros(3, dtype=np.complex64), 1)
    yield "fractional", (np.array([complex(-1, 0.0), complex(-1, -0.0), 0j]), 2.0, 1)
