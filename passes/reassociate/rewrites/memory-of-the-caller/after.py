"""Arrays of the caller may share memory: a guard looks, and the loop as written stays for where they do."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    constants={"rate": "float64"},
    inputs={"exp_x": "float64"},
    state={"u": "float64"},
    looped=True,
    compile=True,
)
def _heat_step(rate, exp_x, u):
    """One iteration of the loop over `n` in `heat`."""
    u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2])
    u += exp_x
    return (u,)


def heat(u: npt.NDArray[np.float64], x: npt.NDArray[np.float64], rate: float, steps: int):
    if npr.quiet() and steps > 0 and npr.apart(u, x):
        exp_x = rate * np.exp(-x)
        for n in _heat_step.over(range(steps), rate=rate, exp_x=exp_x, u=u):
            u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2])
            u += exp_x
    else:
        for n in range(steps):
            u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2])
            u += rate * np.exp(-x)
    return u


def cases():
    for steps in (5, 0):
        u = np.linspace(0.0, 1.0, 12)
        yield "heat", (u, np.linspace(0.0, 2.0, 12), 0.1, steps)
        yield "heat", (u, u, 0.1, steps)
        yield "heat", (u[:6], u[3:9], 0.1, steps)
        yield "heat", (u, [0.5] * 12, 0.1, steps), TypeError if steps else None
