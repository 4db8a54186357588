"""Newton's method for z**3 - 1 over a grid of the complex plane, and which root each point finds."""

import numpy as np

ENTRY = "basins"
SIZES = {"bench": (400, 25), "small": (24, 12)}


def f(z):
    return z**3 - 1


def df(z):
    return 3 * z**2


def basins(n, iterations):
    axis = np.linspace(-2, 2, n)
    z = axis[np.newaxis, :] + 1j * (axis[:, np.newaxis] + 1e-3)
    for _ in range(iterations):
        z = z - f(z) / df(z)
    roots = np.exp(2j * np.pi * np.arange(3) / 3)
    return np.argmin(np.abs(z[..., None] - roots), axis=-1)


def setup(n, iterations):
    return n, iterations
