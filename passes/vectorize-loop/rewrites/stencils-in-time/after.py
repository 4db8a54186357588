"""Two sweeps in a loop over time, which stays; every second point at a time."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="t",
    state={"u": "float64", "v": "float64"},
    looped=True,
    compile=True,
)
def _heat_step(u, v):
    """One iteration of the loop over `t` in `heat`."""
    v[1:-1] = u[1:-1] + 0.25 * (u[:-2] - 2 * u[1:-1] + u[2:])
    u[1:-1] = v[1:-1]
    return u, v


def heat(u: npt.NDArray[np.float64], steps: int):
    n = len(u)
    v = np.zeros(n)
    if npr.quiet() and npr.are_arrays(np.float64, 1, u) and npr.apart(u, v):
        with np.errstate(all="ignore"):
            for t in _heat_step.over(range(steps), u=u, v=v):
                v[1:-1] = u[1:-1] + 0.25 * (u[:-2] - 2 * u[1:-1] + u[2:])
                u[1:-1] = v[1:-1]
    else:
        for t in range(steps):
            for i in range(1, n - 1):
                v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1])
            for i in range(1, n - 1):
                u[i] = v[i]
    return u


@npr.step(
    counter="t",
    state={"u": "float64"},
    looped=True,
    compile=True,
)
def _red_black_step(u):
    """One iteration of the loop over `t` in `red_black`."""
    u[1:-1:2] = 0.5 * (u[:-2:2] + u[2::2])
    u[2:-1:2] = 0.5 * (u[1:-2:2] + u[3::2])
    return (u,)


def red_black(u: npt.NDArray[np.float64], steps: int):
    n = len(u)
    if npr.quiet() and npr.are_arrays(np.float64, 1, u) and npr.apart(u):
        with np.errstate(all="ignore"):
            for t in _red_black_step.over(range(steps), u=u):
                u[1:-1:2] = 0.5 * (u[:-2:2] + u[2::2])
                u[2:-1:2] = 0.5 * (u[1:-2:2] + u[3::2])
    else:
        for t in range(steps):
            for i in range(1, n - 1, 2):
                u[i] = 0.5 * (u[i - 1] + u[i + 1])
            for i in range(2, n - 1, 2):
                u[i] = 0.5 * (u[i - 1] + u[i + 1])
    return u


@npr.step(
    counter="t",
    scalars={"scalar_float64": "float64"},
    constants={"dt": "float64"},
    state={"u": "float64", "v": "float64"},
    compile=True,
)
def _wave_step(scalar_float64, dt, u, v):
    """One iteration of the loop over `t` in `wave`."""
    v[1:u.shape[0] - 1] += dt * (u[:-2] - 2 * u[1:-1] + u[2:]) / scalar_float64
    u += dt * v[:u.shape[0]]
    return u, v


def wave(u: npt.NDArray[np.float64], v: npt.NDArray[np.float64], dt: float, dx: float, steps: int):
    if (
        npr.quiet()
        and npr.are_arrays(np.float64, 1, v, u)
        and type(dt) is float
        and type(dx) is float
        and npr.apart(u, v)
        and npr.apart(v, u)
        and u.shape[0] >= 1
        and u.shape[0] <= v.shape[0]
        and abs(dx) < 1e75
    ):
        with np.errstate(all="ignore"):
            for t in _wave_step.over(
                range(steps),
                scalars=lambda t: (dx ** 2,),
                dt=dt,
                u=u,
                v=v,
            ):
                v[1:u.shape[0] - 1] += dt * (u[:-2] - 2 * u[1:-1] + u[2:]) / dx ** 2
                u += dt * v[:u.shape[0]]
    else:
        for t in range(steps):
            for i in range(1, len(u) - 1):
                v[i] += dt * (u[i - 1] - 2 * u[i] + u[i + 1]) / dx**2
            for i in range(len(u) - 1, -1, -1):
                u[i] += dt * v[i]
    return u


def cases():
    for n in (7, 2, 1, 0, 40):
        for steps in (3, 0):
            yield "heat", (np.arange(n * 1.0) ** 2, steps)
            yield "red_black", (np.arange(n * 1.0) ** 2, steps)
            yield "wave", (np.arange(n * 1.0) ** 2, np.zeros(n), 0.1, 0.5, steps)
    both = np.arange(9.0)
    yield "wave", (both, both, 0.1, 0.5, 3)
    yield "wave", (both[1:], both[:-1], 0.1, 0.5, 3)
    yield "wave", (np.ones(1), np.ones(1), 0.1, 0.0, 2)
    yield "wave", (np.ones(4), np.ones(3), 0.1, 0.5, 2), IndexError
