"""Arrays that other statements make anew in each iteration are given to the step with it."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    constants={"dt": "float64"},
    inputs={"noise": "float64"},
    carried={"v": "float64", "x": "float64"},
    out={"value": "float64"},
    given=("noise",),
    ranks={"v": 1, "noise": 1, "x": 1},
    once=True,
    compile=True,
)
def _langevin_step(dt, noise, v, x):
    """The array statements of an iteration of the loop in `langevin`."""
    v = v + dt * (-x - 0.5 * v) + 0.1 * noise
    x = x + dt * v
    value = np.mean(x**2)
    return v, x, value


def langevin(size: int, trips: int, dt: float):
    rng = np.random.default_rng(3)
    x = np.zeros(size)
    v = np.ones(size)
    spread = np.empty(trips)
    with _langevin_step.running(dt=dt, v=v, x=x) as run:
        for k in range(trips):
            noise = rng.standard_normal(size)
            if run.advance(noise=noise):
                (v, x, value) = run.results
            else:
                v = v + dt * (-x - 0.5 * v) + 0.1 * noise
                x = x + dt * v
                value = np.mean(x**2)
            spread[k] = value
    return x, v, spread


@npr.step(
    inputs={"w": "float64"},
    carried={"u": "float64"},
    given=("w",),
    once=True,
    compile=True,
)
def _ranked_step(w, u):
    """The array statements of an iteration of the loop in `ranked`."""
    u = u + 0.1 * (w - u)
    u = u - 0.05 * w
    return (u,)


def ranked(size: int, trips: int):
    u = np.cos(np.arange(size) * 2.0)
    with _ranked_step.running(u=u) as run_1:
        for n in range(trips):
            u = run_1.own(u)
            w = np.sort(u)
            if run_1.advance(w=w):
                (u,) = run_1.results
            else:
                u = u + 0.1 * (w - u)
                u = u - 0.05 * w
    return u, w


@npr.step(
    inputs={"w": "float64"},
    state={"u": "float64"},
    given=("w",),
    once=True,
    compile=True,
)
def _shrinking_step(w, u):
    """The array statements of an iteration of the loop in `shrinking`."""
    u[...] = u + 0.1 * w * u
    u -= 0.05 * w
    return (u,)


def shrinking(size: int, trips: int):
    u = np.linspace(0.0, 1.0, size)
    with _shrinking_step.running(u=u) as run_2:
        for n in range(trips):
            # The last ones are one number for all.
            run_2.store()
            w = np.full(size if n < 3 else 1, 0.5 * n)
            if not run_2.advance(w=w):
                u[...] = u + 0.1 * w * u
                u -= 0.05 * w
            if n == 1:
                run_2.store()
                u[0] = 2.0
    return u


def cases():
    for trips in (5, 2, 0):
        yield "langevin", (7, trips, 0.1)
        yield "shrinking", (6, trips)
    yield "ranked", (5, 4)
    yield "ranked", (5, 0), UnboundLocalError
