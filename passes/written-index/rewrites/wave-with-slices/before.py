"""A wave on a grid, whose inner part has a name."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def wave(u: npt.NDArray[np.float64], v: npt.NDArray[np.float64], steps: int):
    inner = slice(1, -1)
    both = (inner, inner)
    for _ in range(steps):
        v[both] += 0.2 * (u[2:, inner] + u[:-2, inner] + u[inner, 2:] + u[inner, :-2] - 4 * u[both])
        u[both] += v[both]
    return u


def cases():
    rng = np.random.default_rng(0)
    for steps in (0, 1, 4):
        yield "wave", (rng.random((9, 11)), np.zeros((9, 11)), steps)
    # Two of the arrays have other shapes: both raise.
    yield "wave", (rng.random((9, 11)), np.zeros((9, 10)), 2), ValueError
