"""exp, also at infinite and signed-zero parts, where the textbook product has nan.

Hazards: 2.functions
"""

import numpy as np
import numpy.typing as npt


def flow(z: npt.NDArray[np.complex128], trips: int):
    for _ in range(trips):
        z = np.exp(z * 0.5) - 1.0
    return z


def once(z: npt.NDArray[np.complex64], trips: int):
    for _ in range(trips):
        z = np.exp(z)
    return z


def plane():
    part = np.array([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan, 80.0, -800.0], dtype=np.float32)
    z = np.empty((part.size, part.size), dtype=np.complex64)
    z.real = part
    z.imag = part[:, None]
    return z


def cases():
    x = np.linspace(-1, 1, 11)
    for trips in (9, 8, 1, 0):
        yield "flow", (x + 1j * x[::-1], trips)
    yield "once", (plane(), 1)
    yield "once", (np.zeros(0, dtype=np.complex64), 1)
