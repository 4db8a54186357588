"""The programs of the benchmark of devices, as NumPy has them: their arrays are arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def kmeans(X: Array, means: Array) -> Array:
    """To which of the means each point is nearest; as in ``examples/kmeans.py``."""
    return np.argmin(np.linalg.norm(X - means[:, None], axis=2), axis=0)


def plane(xn: int, yn: int) -> Array:
    """The points of ``examples/mandelbrot.py``."""
    X = np.linspace(-2.25, 0.75, xn, dtype="float32")
    Y = np.linspace(-1.25, 1.25, yn, dtype="float32")
    return X + Y[:, None] * 1j


def mandelbrot(C: Array, maxiter: int, horizon: float) -> Array:
    """Escape times of given points; the loop of ``examples/mandelbrot.py``."""
    N = np.zeros(C.shape, dtype="int")
    Z = np.zeros(C.shape, dtype="complex64")
    for n in range(maxiter):
        I = np.abs(Z) < horizon
        N[I] = n
        Z[I] = Z[I] ** 2 + C[I]
    N[N == maxiter - 1] = 0
    return N


def kuramoto(u: Array, omega: Array, K: float, dt: float, steps: int) -> Array:
    """Euler's time steps of phases on a lattice, with the right-hand side of ``examples/kuramoto.py``."""
    for _ in range(steps):
        rate = omega.copy()
        right = u[:, 1:] - u[:, :-1]
        down = u[1:, :] - u[:-1, :]
        rate[:, :-1] += K * np.sin(right)
        rate[:, 1:] += K * np.sin(-right)
        rate[:-1, :] += K * np.sin(down)
        rate[1:, :] += K * np.sin(-down)
        u = u + dt * rate
    return u


def relaxed(u: Array, steps: int) -> Array:
    """Jacobi's iteration for Laplace's equation on a square."""
    for _ in range(steps):
        u[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) / 4
    return u
