"""Functions without a pair form get the complex array at that point: branch cuts and signed zeros are NumPy's.

Hazards: 2.functions
"""

import numpy as np
import numpy.typing as npt


def root(z: npt.NDArray[np.complex128], c: npt.NDArray[np.complex128], trips: int):
    for _ in range(trips):
        z = np.sqrt(z * z + c) - 0.5 * c
    return z


def turn(z: npt.NDArray[np.complex128], trips: int):
    angle = np.zeros(z.shape)
    for _ in range(trips):
        w = z * (1 + 0.1j)
        angle = np.angle(w)
        z = w * np.log(w + 4) * 0.3
    return z, angle


def turned(z: npt.NDArray[np.complex128], trips: int):
    for n in range(trips):
        z[...] = z * z * 0.5 + 0.1j
        z[...] = np.concatenate([z[1:], z[:1] * 0.5]) + np.ones(len(z))
    return z


def cases():
    for size in (5, 1):
        yield "turned", (np.linspace(0.1, 0.5, size) * (1 + 1j), 3)
    x = np.linspace(-1, 1, 11)
    for trips in (9, 8, 1, 0):
        yield "root", (x + 1j * x[::-1], 0.1 - 0.2j * x, trips)
        yield "turn", (x + 1j * x[::-1], trips)
    yield "root", (np.array([complex(0, 1), complex(-0.0, 1)]), np.array([complex(0, -0.0), 0j]), 1)
    yield "root", (np.zeros((0, 2), dtype=np.complex128), np.zeros((0, 2), dtype=np.complex128), 9)
