"""Newton's fractal of z**3 - 1: division, a tolerance on the step, several masks, one of them carried."""

import numpy as np


def newton(width: int, height: int, maxiter: int, tol: float = 1e-6):
    x = np.linspace(-2, 2, width)
    y = np.linspace(-2, 2, height)
    z = x + 1j * y[:, None]
    steps = np.zeros(z.shape, dtype=np.int64)
    moving = np.ones(z.shape, dtype=bool)
    for n in range(maxiter):
        dz = (z**3 - 1) / (3 * z**2)
        close = np.abs(dz) < tol
        z[moving] = z[moving] - dz[moving]
        steps[moving & ~close] = n + 1
        moving = moving & ~close
    root = np.zeros(z.shape, dtype=np.int8)
    root[np.abs(z - 1) < 0.1] = 1
    root[np.abs(z - np.exp(2j * np.pi / 3)) < 0.1] = 2
    root[np.abs(z - np.exp(-2j * np.pi / 3)) < 0.1] = 3
    return z, root, steps, moving


def cases():
    for maxiter in (30, 16, 9, 8, 7, 1, 0):
        yield "newton", (24, 18, maxiter)
    yield "newton", (5, 5, 12)
    yield "newton", (24, 18, 12, 0.0)
    yield "newton", (24, 18, 12, -1.0)
    yield "newton", (24, 18, 12, 1e-200)
    yield "newton", (1, 1, 12)
    yield "newton", (0, 3, 12)
