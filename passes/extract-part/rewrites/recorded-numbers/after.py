"""Numbers that every iteration records are computed by the step; the records stay where they were."""

import numpy as np
import nprewrite.runtime as npr
import nprewrite


@npr.step(
    scalars={"scalar_float64": npr.scalar("float64")},
    constants={"dt": "float64"},
    carried={"x": "float64"},
    out={"value": "float64", "value_1": "float64"},
    apart=("times",),
    once=True,
    compile=True,
)
def _ensemble_step(scalar_float64, dt, x):
    """The array statements of an iteration of the loop in `ensemble`."""
    x = x + dt * (x - x**3 + scalar_float64)
    value = x.mean()
    value_1 = np.abs(x).mean()
    return x, value, value_1


def ensemble(size: int, count: int):
    times = np.linspace(0, 2, count)
    dt = 2 / count
    x = np.linspace(-1, 1, size)
    mean = np.zeros((count, 2))
    largest = []
    with _ensemble_step.running(dt=dt, x=x, times=times) as run:
        for i, t in enumerate(times):
            if run.advance(lambda: (0.3 * np.cos(t),)):
                (x, value, value_1) = run.results
            else:
                x = x + dt * (x - x**3 + 0.3 * np.cos(t))
                value = x.mean()
                value_1 = np.abs(x).mean()
            mean[i] = value, value_1
            x = run.own(x)
            largest.append(float(x.max()))
            if i % 3 == 0:
                print(f"{t:.2f}: {largest[-1]:.6f}")
    return x, mean, largest


@npr.step(
    scalars={"n": "float64"},
    state={"w": "float64"},
    once=True,
    compile=True,
)
def _records_step(n, w):
    """The array statements of an iteration of the loop in `records`."""
    w *= 0.5
    w += n
    return (w,)


@nprewrite.jit
def records(u: np.ndarray, size: int, trips: int):
    """Where ``seen`` is too short, the iteration that does not fit has changed ``u``."""
    w = np.ones(size)
    seen = np.zeros(3)
    with _records_step.running(w=w) as run_1:
        for n in range(trips):
            if not run_1.advance(lambda: (n,)):
                w *= 0.5
                w += n
            run_1.store()
            u[...] = w
            run_1.store()
            seen[n] = w.sum()
    return seen


def cases():
    for size, count in ((4, 7), (3, 1), (1, 2)):
        yield "ensemble", (size, count)
    yield "records", (np.zeros(4), 4, 3)
    yield "records", (np.zeros(4), 4, 0)
    yield "records", (np.zeros(4), 4, 5), IndexError
