"""Real values computed from the parts of a complex array, and a real array changed by a complex comparison."""

import numpy as np


def ship(width: int, maxiter: int):
    x = np.linspace(-1.9, 0.9, width)
    c = x + 0.7j * x[:, None]
    z = np.zeros_like(c)
    count = np.zeros(c.shape, dtype=np.int32)
    alive = np.ones(c.shape, dtype=bool)
    for i in range(maxiter):
        across, up = np.abs(z.real), np.abs(np.imag(z))
        z[alive] = (across[alive] + 1j * up[alive]) ** 2 + c[alive]
        alive &= np.abs(z) < 4
        count[alive] = i
    return z, count, alive


def measures(size: int, trips: int):
    z = np.linspace(-1, 1, size) * (1 + 0.5j)
    total = np.zeros(size)
    odd = np.zeros(size, dtype=bool)
    for n in range(trips):
        z = z * (0.9 + 0.1j)
        total += np.abs(z.real) + np.sqrt(np.abs(z)) - total.real * 0.5 + total.imag
        total -= np.isnan(z.imag) * 1.0
        odd |= np.isnan(z) | ~np.isfinite(total)
        odd ^= z.real > z.imag
    return z, total, odd


def cases():
    for maxiter in (0, 1, 7, 8, 9, 17):
        yield "ship", (23, maxiter)
        yield "measures", (11, maxiter)
    yield "ship", (0, 5)
    yield "measures", (1, 5)
