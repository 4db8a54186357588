"""A np.float64 added to float32 lanes is added in float64, and the sum is stored as float32.

A Python number given in its place, or the other way round, is refused by a guard: it would not widen.

Hazards: 1.6
"""

import math

import numpy as np
import numpy.typing as npt


def walk(x: npt.NDArray[np.float32], trips: int):
    dx = np.float64(0.1)
    for _ in range(trips):
        m = x < 3.0
        x[m] = x[m] + dx
    return x


def spread(size: int, trips: int):
    x = np.linspace(0.0, 1.0, size)
    dx = x[1] - x[0]
    dt = 0.2 * dx**2
    u = np.sin(math.pi * x)
    for n in range(trips):
        u[1:-1] += dt * (u[2:] - 2 * u[1:-1] + u[:-2]) / dx**2
        u[0] = np.sin(0.1 * n * dt) + math.exp(-n)
    return u, dx


def widened(x: npt.NDArray[np.float32], factor: np.float64, trips: int):
    for n in range(trips):
        x = x * factor
    return x


def cases():
    row = np.array([0.1, -0.7, 2.9999, 3.0, np.nan, -np.inf], dtype=np.float32)
    for trips in (9, 203, 8, 1, 0):
        yield "walk", (row.copy(), trips)
        yield "spread", (12, trips)
    yield "spread", (1, 3), IndexError
    yield "widened", (row, np.float64(1.1), 3)
    yield "widened", (row, 1.1, 3)
