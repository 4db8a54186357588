"""A statement that reads nothing but values of its lane."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    state={"u": "float64"},
    looped=True,
    compile=True,
)
def _bent_step(u):
    """One iteration of the loop over `_` in `bent`."""
    slope = u[1:] - u[:-1]
    bend = np.sin(slope)
    u[1:] = u[1:] - 0.01 * bend
    return (u,)


def bent(n: int, steps: int):
    u = np.arange(n, dtype=np.float64)
    for _ in _bent_step.over(range(steps), u=u):
        slope = u[1:] - u[:-1]
        bend = np.sin(slope)
        u[1:] = u[1:] - 0.01 * bend
    return u


def cases():
    yield "bent", (12, 5)
