"""A wave on a grid, whose inner part has a name."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    state={"u": "float64", "v": "float64"},
    looped=True,
    compile=True,
)
def _wave_step(u, v):
    """One iteration of the loop over `_` in `wave`."""
    v[1:-1, 1:-1] += 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    u[1:-1, 1:-1] += v[1:-1, 1:-1]
    return u, v


@nprewrite.jit
def wave(u: npt.NDArray[np.float64], v: npt.NDArray[np.float64], steps: int):
    for _ in _wave_step.over(range(steps), u=u, v=v):
        v[1:-1, 1:-1] += 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        u[1:-1, 1:-1] += v[1:-1, 1:-1]
    return u


def cases():
    rng = np.random.default_rng(0)
    for steps in (0, 1, 4):
        yield "wave", (rng.random((9, 11)), np.zeros((9, 11)), steps)
    # Two of the arrays have other shapes: both raise.
    yield "wave", (rng.random((9, 11)), np.zeros((9, 10)), 2), ValueError
