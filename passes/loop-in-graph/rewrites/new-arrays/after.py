"""Names that are bound anew in each iteration, and a value that outlives the loop."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    constants={"dt": "float64"},
    carried={"x": "float64", "v": "float64"},
    out={"pull": "float64"},
    ranks={"x": 1, "v": 1},
    looped=True,
    compile=True,
)
def _oscillators_step(dt, x, v):
    """One iteration of the loop over `_` in `oscillators`."""
    pull = x[:-2] - 2 * x[1:-1] + x[2:]
    v = v - dt * x * np.abs(x)
    v[1:-1] += dt * pull
    x = x + dt * v
    return x, v, pull


def oscillators(n: int, steps: int, dt: float):
    x = np.linspace(0.0, 1.0, n)
    v = np.zeros(n)
    pull = np.zeros(n - 2)
    for _ in (loop := _oscillators_step.over(range(steps), dt=dt, x=x, v=v)):
        pull = x[:-2] - 2 * x[1:-1] + x[2:]
        v = v - dt * x * np.abs(x)
        v[1:-1] += dt * pull
        x = x + dt * v
    if loop.finished:
        (x, v, pull) = loop.results
    return x, v, pull


def cases():
    for steps in (1, 2, 3, 257):
        yield "oscillators", (20, steps, 0.1)
