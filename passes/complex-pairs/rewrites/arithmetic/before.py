"""+ - * / by complex arrays, real arrays and Python numbers, conjugate, abs, real and imaginary part.

Hazards: 2.division, 2.fused
"""

import numpy as np
import numpy.typing as npt


def mix(z: npt.NDArray[np.complex128], w: npt.NDArray[np.complex128], r: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        a = z * w - np.conj(z) * 0.5 + r
        b = a / (w + 3) + 1j * w.imag - 2 * z.real
        size = np.abs(b) + 1.0
        z[...] = (b / size + (-z).conj() / 4 + +w * (0.25 - 0.5j)) * r
    return z


def quotient(z: npt.NDArray[np.complex64], w: npt.NDArray[np.complex64], trips: int):
    for n in range(trips):
        z = z / w
    return z


def inverse(z: npt.NDArray[np.complex64], trips: int):
    for n in range(trips):
        z = 1 / z
    return z


def parts():
    return np.linspace(-1, 1, 9), np.linspace(2, -0.5, 9)


def cases():
    u, v = parts()
    for trips in (9, 16, 8, 1, 0):
        yield "mix", (u + 1j * v, v - 0.3j * u, u.copy(), trips)
    yield "mix", ((u + 1j * v)[::-1], (v - 0.3j * u), u[::-1], 9)
    shared = u + 1j * v
    yield "mix", (shared, shared, u.copy(), 9)
    yield "mix", (shared.copy(), v + 0j, v.astype(np.float32), 9)
    big = np.complex64([1e30 + 1e30j, 1e-30 + 1e-30j, 3e38, 1e38j, 1 + 2j, -3e38 + 3e38j])
    small = np.complex64([1e30 - 1e30j, 1e-30 + 2e-30j, 2 + 2j, 1e38 + 1e38j, 1e-20 + 1e20j, 3e38 + 3e38j])
    yield "quotient", (big, small, 1)
    yield "quotient", (big, small, 2)
    yield "quotient", (np.complex64([1, 1j, 0, np.nan]), np.complex64([0, 0, 0, 1]), 1)
    yield "quotient", (np.complex64([1, 1j, 2, np.inf]), np.complex64([np.inf, 1j * np.inf, 3, 1]), 1)
    yield "inverse", (small, 1)
    yield "inverse", (small, 9)
    yield "inverse", (np.zeros(0, dtype=np.complex64), 9)
