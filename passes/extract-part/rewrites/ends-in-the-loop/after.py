"""A loop over buffers that change places returns from the middle, or ends by break, or runs its else."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    state={"a": "float64", "b": "float64"},
    out={"error": "float64"},
    aligned=("a", "b"),
    rotates={"a": "b", "b": "a"},
    once=True,
    compile=True,
)
def _relaxed_step(a, b):
    """The array statements of an iteration of the loop in `relaxed`."""
    b[1:-1, 1:-1] = 0.25 * (a[2:, 1:-1] + a[:-2, 1:-1] + a[1:-1, 2:] + a[1:-1, :-2])
    error = np.abs(b - a).max()
    return a, b, error


def relaxed(size: int, tolerance: float, most: int):
    a = np.zeros((size, size))
    a[0, :] = 1.0
    b = a.copy()
    errors = []
    with _relaxed_step.running(a=a, b=b) as run:
        for it in range(most):
            if run.advance():
                (error, a, b) = run.results
            else:
                b[1:-1, 1:-1] = 0.25 * (a[2:, 1:-1] + a[:-2, 1:-1] + a[1:-1, 2:] + a[1:-1, :-2])
                error = np.abs(b - a).max()
                a, b = b, a
            errors.append(error)
            if error < tolerance:
                run.store()
                return a, it, errors
    return b, most, errors


@npr.step(
    constants={"dt": "float64"},
    state={"w": "float64"},
    out={"top": "float64"},
    once=True,
    compile=True,
)
def _bounded_step(dt, w):
    """The array statements of an iteration of the loop in `bounded`."""
    w += dt * (1 - w * w)
    w *= 1.25
    top = w.max()
    return w, top


def bounded(u: np.ndarray, size: int, limit: float, most: int):
    w = np.linspace(0, 1, size)
    t, dt = 0.0, 0.25
    with _bounded_step.running(dt=dt, w=w) as run_1:
        while t < most * dt:
            if run_1.advance():
                (top,) = run_1.results
            else:
                w += dt * (1 - w * w)
                w *= 1.25
                top = w.max()
            t += dt
            if top > limit:
                run_1.store()
                u[...] = w
                break
        else:
            run_1.store()
            u[...] = -w
    return w, t


def cases():
    for tolerance, most in ((0.01, 50), (1e-9, 5), (1.0, 0)):
        yield "relaxed", (6, tolerance, most)
    for limit in (1.4, 9.0):
        yield "bounded", (np.zeros(4), 4, limit, 8)
    yield "bounded", (np.zeros(4), 4, 1.0, 0)
