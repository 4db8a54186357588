"""Gradients with even spacing along each axis, or one of them, are differences of slices."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"dx": "float64"},
    sizes=("m", "n"),
    out={"result_1": "float64", "result_2": "float64", "result_3": "float64"},
    once=True,
    grows=True,
    compile=True,
)
def _steepness_region(dx, m, n):
    """Lines of `steepness`."""
    u = np.cos(np.arange(n)[:, None] * np.arange(m) * 0.3)
    rise, along = npr.gradient(u)
    across = npr.gradient(u * 2, dx, axis=-1)
    down, over = npr.gradient(u, 0.5, dx)
    v = npr.gradient(u[0], u[0, 1] - u[0, 0])
    result_1, result_2, result_3 = np.sqrt(rise * rise + along * along), across + down * over, v * 2
    return result_1, result_2, result_3


@nprewrite.jit
def steepness(n: int, m: int, dx: float):
    for once in (region := _steepness_region.over(range(1), dx=dx, m=m, n=n)):
        u = np.cos(np.arange(n)[:, None] * np.arange(m) * 0.3)
        rise, along = np.gradient(u)
        across = np.gradient(u * 2, dx, axis=-1)
        down, over = np.gradient(u, 0.5, dx)
        v = np.gradient(u[0], u[0, 1] - u[0, 0])
        return np.sqrt(rise * rise + along * along), across + down * over, v * 2
    (result_1, result_2, result_3) = region.results
    return result_1, result_2, result_3


def cases():
    yield "steepness", (4, 3, 0.1)
    yield "steepness", (2, 2, 3)
    yield "steepness", (3, 7, float("inf"))
    yield "steepness", (1, 5, 0.1), ValueError
    yield "steepness", (5, 1, 0.1), ValueError
    yield "steepness", (0, 5, 0.1), ValueError
