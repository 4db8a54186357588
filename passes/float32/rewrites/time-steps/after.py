"""A loop over a state in float32, extracted as a step like any other."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    constants={"k": "float32"},
    state={"u": "float32"},
    ranks={"u": 2},
    looped=True,
    compile=True,
)
def _heat_step(k, u):
    """One iteration of the loop over `_` in `heat`."""
    u[1:-1, 1:-1] += k * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return (u,)


@nprewrite.jit(level="fast", precision="float32")
def heat(n: int, steps: int, k: float):
    u = np.zeros((n, n), dtype=np.float32)
    u[n // 2, n // 2] = 100.0
    for _ in _heat_step.over(range(steps), k=k, u=u):
        u[1:-1, 1:-1] += k * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return u


def cases():
    for n, steps in ((5, 3), (12, 20), (9, 0)):
        yield "heat", (n, steps, 0.2)
