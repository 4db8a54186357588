"""What is kept every few iterations is what the arrays hold then; a name bound anew is an array of its own."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    state={"u": "float64"},
    ranks={"u": 2},
    once=True,
    compile=True,
)
def _heat_step(u):
    """The array statements of an iteration of the loop in `heat`."""
    old = u.copy()
    u[1:-1, 1:-1] = old[1:-1, 1:-1] + 0.1 * (
        old[2:, 1:-1] + old[:-2, 1:-1] + old[1:-1, 2:] + old[1:-1, :-2] - 4 * old[1:-1, 1:-1]
    )
    u[0, :] = 1.0  # the wall
    return (u,)


def heat(size: int, trips: int, every: int):
    u = np.zeros((size, size))
    u[1] = 1.0
    frames = []
    # explicit Euler
    with _heat_step.running(u=u) as run:
        for n in range(trips):
            if not run.advance():
                old = u.copy()
                u[1:-1, 1:-1] = old[1:-1, 1:-1] + 0.1 * (
                    old[2:, 1:-1] + old[:-2, 1:-1] + old[1:-1, 2:] + old[1:-1, :-2] - 4 * old[1:-1, 1:-1]
                )
                u[0, :] = 1.0  # the wall
            # what is drawn later
            if n % every == 0:
                run.store()
                frames.append(u.copy())
    return u, frames


@npr.step(
    carried={"u": "float64", "before": "float64"},
    ranks={"u": 1, "before": 1},
    previous={"before": "u"},
    once=True,
    compile=True,
)
def _wave_step(u, before):
    """The array statements of an iteration of the loop in `wave`."""
    after = np.zeros_like(u)
    after[1:-1] = 2 * u[1:-1] - before[1:-1] + 0.25 * (u[2:] + u[:-2] - 2 * u[1:-1])
    before, u = u, after
    return u, before


def wave(size: int, trips: int):
    x = np.linspace(0, 1, size)
    before, u = x.copy(), x * (1 - x)
    frames = [u]
    with _wave_step.running(u=u, before=before) as run_1:
        for n in range(trips):
            if run_1.advance():
                (u, before) = run_1.results
            else:
                after = np.zeros_like(u)
                after[1:-1] = 2 * u[1:-1] - before[1:-1] + 0.25 * (u[2:] + u[:-2] - 2 * u[1:-1])
                before, u = u, after
            if n % 2:
                continue
            u = run_1.own(u)
            frames.append(u)
    return u, frames


def cases():
    for size, trips in ((5, 7), (3, 1), (4, 0)):
        yield "heat", (size, trips, 3)
        yield "wave", (size, trips)
    yield "heat", (5, 4, 0), ZeroDivisionError
