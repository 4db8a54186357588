"""Flags that are the same at every call choose once; one that is bound in the loop, and one without which a name is not local, stay."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr

level = 0.25


def boundaries(b, u):
    if b == 1:
        u[0] = -u[1]
    elif b == 2:
        u[0] = u[1]
    else:
        u[0] = 0.0
    u[-1] = -u[-2] if b == 1 else u[-2]


def slope(u, limited, order=2):
    if order == 1:
        return np.roll(u, -1) - u
    centred = 0.5 * (np.roll(u, -1) - np.roll(u, 1))
    if limited:
        centred = np.clip(centred, -0.1, 0.1)
    return centred


@npr.step(
    counter="n",
    constants={"dt": "float64"},
    state={"u": "float64"},
    compile=True,
)
def _run_step(dt, u):
    """One iteration of the loop over `n` in `run`."""
    du = 0.5 * (np.roll(u, -1) - np.roll(u, 1))
    u -= dt * du
    u[0] = -u[1]
    u[-1] = -u[-2]
    return (u,)


@nprewrite.jit
def run(u: npt.NDArray[np.float64], steps: int):
    limiting = False
    plotting = False
    order, dt = 2, 1e-2
    for n in _run_step.over(range(steps), dt=dt, u=u):
        du = 0.5 * (np.roll(u, -1) - np.roll(u, 1))
        # As the flag says.
        pass
        u -= dt * du
        u[0] = -u[1]
        u[-1] = -u[-2]
        pass
    return u


@nprewrite.jit
def first(u: npt.NDArray[np.float64], steps: int):
    started = False
    shown = False
    total = 0.0
    for n in range(steps):
        if started:
            total = total + 0.5
        started = True
    if shown:
        level = 0.5
    try:
        return u * total + level
    except UnboundLocalError:
        return u * total


def cases():
    for size, steps in ((8, 3), (8, 0), (3, 1)):
        yield "run", (1.0 + 0.2 * np.sin(np.arange(size)), steps)
        yield "first", (np.arange(float(size)), steps)
