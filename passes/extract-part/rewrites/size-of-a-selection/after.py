"""How many elements a condition selects is read from the array; what its shape is, is not."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    state={"u": "float64"},
    once=True,
    compile=True,
)
def _counted_step(u):
    """The array statements of an iteration of the loop in `counted`."""
    u += 0.2 * np.sin(3 * u) * u
    u *= 0.9
    return (u,)


def counted(size: int, trips: int):
    u = np.linspace(-1, 1, size)
    counts = np.zeros(size, dtype=np.int16)
    with _counted_step.running(u=u) as run:
        for n in range(trips):
            if not run.advance():
                u += 0.2 * np.sin(3 * u) * u
                u *= 0.9
            run.store()
            many = counts[u <= 0.3].size
            run.store()
            counts[n % size] = many + u[1:].size
    return u, counts


def cases():
    for trips in (7, 1, 0):
        yield "counted", (6, trips)
