"""Functions made inside of the function, one that changes its argument and returns nothing."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    constants={"alpha": "float64"},
    carried={"u": "float64"},
    looped=True,
    compile=True,
)
def _heat_step(alpha, u):
    """One iteration of the loop over `n` in `heat`."""
    step_new = u.copy()
    step_new[1:-1] = u[1:-1] + alpha * (u[2:] - 2 * u[1:-1] + u[:-2])
    u = step_new
    u[0] = u[1]
    u[-1] = u[-2]
    return (u,)


@nprewrite.jit
def heat(u: npt.NDArray[np.float64], steps: int, alpha: float):
    def step(v):
        new = v.copy()
        new[1:-1] = v[1:-1] + alpha * (v[2:] - 2 * v[1:-1] + v[:-2])
        return new

    def insulate(v):
        v[0] = v[1]
        v[-1] = v[-2]

    for n in (loop := _heat_step.over(range(steps), alpha=alpha, u=u)):
        step_new = u.copy()
        step_new[1:-1] = u[1:-1] + alpha * (u[2:] - 2 * u[1:-1] + u[:-2])
        u = step_new
        del step_new
        u[0] = u[1]
        u[-1] = u[-2]
    if loop.finished:
        (u,) = loop.results
    return u


def cases():
    for steps in (0, 1, 6):
        yield "heat", (np.linspace(0.0, 1.0, 9) ** 2, steps, 0.2)
