"""What is computed for the names that the user gives is computed as written."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    constants={"clock": npr.scalar("float64")},
    carried={"u": "float32"},
    out={"value": "float64"},
    once=True,
    compile=True,
)
def _decay_step(clock, u):
    """The array statements of an iteration of the loop in `decay`."""
    u = u * 0.9
    value = u.astype(np.float64).sum() * clock
    return u, value


@nprewrite.jit(level="fast", precision="float32", keep_float64=["clock", "history"])
def decay(n: int, steps: int):
    u = np.linspace(1, 2, n, dtype=np.float32)
    clock = np.float64(0.1) + 0.2
    history = np.zeros(steps)
    with _decay_step.running(clock=clock, u=u) as run:
        for step in range(steps):
            if run.advance():
                (u, value) = run.results
            else:
                u = u * 0.9
                value = u.astype(np.float64).sum() * clock
            history[step] = value
    float32_value = np.float32(clock)
    return u * float32_value, history, clock


def cases():
    for n, steps in ((3, 2), (10, 7)):
        yield "decay", (n, steps)
