"""Gradients with even spacing along each axis, or one of them, are differences of slices."""

import numpy as np

import nprewrite


@nprewrite.jit
def steepness(n: int, m: int, dx: float):
    u = np.cos(np.arange(n)[:, None] * np.arange(m) * 0.3)
    rise, along = np.gradient(u)
    across = np.gradient(u * 2, dx, axis=-1)
    down, over = np.gradient(u, 0.5, dx)
    v = np.gradient(u[0], u[0, 1] - u[0, 0])
    return np.sqrt(rise * rise + along * along), across + down * over, v * 2


def cases():
    yield "steepness", (4, 3, 0.1)
    yield "steepness", (2, 2, 3)
    yield "steepness", (3, 7, float("inf"))
    yield "steepness", (1, 5, 0.1), ValueError
    yield "steepness", (5, 1, 0.1), ValueError
    yield "steepness", (0, 5, 0.1), ValueError
