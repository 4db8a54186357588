"""The other statements may change the step's arrays, by name, through a view, or in a function."""

import numpy as np
import nprewrite.runtime as npr


def clamp(a):
    np.clip(a, -0.5, 0.5, out=a)


@npr.step(
    state={"u": "float64"},
    carried={"v": "float64"},
    once=True,
    compile=True,
)
def _pushed_step(u, v):
    """The array statements of an iteration of the loop in `pushed`."""
    v = v - 0.1 * u
    u += 0.1 * v
    u *= 1.01
    return u, v


def pushed(size: int, trips: int, place: int):
    u = np.linspace(-1, 1, size)
    v = np.zeros(size)
    head = u[:2]
    with _pushed_step.running(u=u, v=v) as run:
        for n in range(trips):
            if run.advance():
                (v,) = run.results
            else:
                v = v - 0.1 * u
                u += 0.1 * v
                u *= 1.01
            run.store()
            v = run.own(v)
            clamp(v)
            run.store()
            u[place] = n
            run.store()
            head += 1.0
    return u, v, head


@npr.step(
    inputs={"force": "float64"},
    carried={"x": "float64"},
    once=True,
    compile=True,
)
def _kicked_step(force, x):
    """The array statements of an iteration of the loop in `kicked`."""
    x = 0.9 * x + 0.1 * force
    x = x - 0.01 * x**3
    return (x,)


def kicked(size: int, trips: int):
    force = np.ones(size)
    x = np.zeros(size)
    with _kicked_step.running(force=force, x=x) as run_1:
        for n in range(trips):
            run_1.store()
            force[n % size] = -force[n % size]
            if run_1.advance():
                (x,) = run_1.results
            else:
                x = 0.9 * x + 0.1 * force
                x = x - 0.01 * x**3
    return x, force


@npr.step(
    state={"u": "float64", "tally": "float64"},
    ranks={"u": 1, "tally": 1},
    once=True,
    compile=True,
)
def _tallied_step(u, tally):
    """The array statements of an iteration of the loop in `tallied`."""
    u[1:] = 0.5 * u[:-1] + 0.25
    tally[-1] = 2.0
    return u, tally


def tallied(size: int, trips: int):
    # The array in whose elements a number is stored is itself changed by the step.
    u = np.linspace(-1, 1, size)
    tally = np.zeros(size)
    with _tallied_step.running(u=u, tally=tally) as run_2:
        for n in range(trips):
            if not run_2.advance():
                u[1:] = 0.5 * u[:-1] + 0.25
                tally[-1] = 2.0
            run_2.store()
            tally[n] = n
    return u, tally


@npr.step(
    state={"u": "float64", "tally": "float64"},
    out={"value": "float64"},
    ranks={"u": 1, "tally": 1},
    once=True,
    compile=True,
)
def _tallied_sums_step(u, tally):
    """The array statements of an iteration of the loop in `tallied_sums`."""
    u[1:] = 0.5 * u[:-1] + 0.25
    tally[-1] = 2.0
    value = (u * u).sum()
    return u, tally, value


def tallied_sums(size: int, trips: int):
    u = np.linspace(-1, 1, size)
    tally = np.zeros(size)
    with _tallied_sums_step.running(u=u, tally=tally) as run_3:
        for n in range(trips):
            if run_3.advance():
                (value,) = run_3.results
            else:
                u[1:] = 0.5 * u[:-1] + 0.25
                tally[-1] = 2.0
                value = (u * u).sum()
            run_3.store()
            tally[n] = value
    return u, tally


def cases():
    for trips in (7, 2, 1, 0):
        yield "pushed", (5, trips, 1)
        yield "kicked", (3, trips)
        yield "tallied", (8, trips)
        yield "tallied_sums", (8, trips)
    yield "pushed", (5, 3, 9), IndexError
