"""The wave equation over three levels of time; a coefficient that changes with the iteration."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="t",
    scalars={"scalar_float64": "float64"},
    state={"now": "float64", "before": "float64", "after": "float64"},
    aligned=("before", "now", "after"),
    ranks={"now": 2, "before": 2, "after": 2},
    rotates={"before": "now", "now": "after", "after": "before"},
    looped=True,
    compile=True,
)
def _wave_step(scalar_float64, now, before, after):
    """One iteration of the loop over `t` in `wave`."""
    lap = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:] - 4 * now[1:-1, 1:-1]
    after[1:-1, 1:-1] = 2 * now[1:-1, 1:-1] - before[1:-1, 1:-1] + 0.1 * lap
    after[0, :] = scalar_float64
    return now, before, after


def wave(n: int, steps: int):
    before = np.sin(np.arange(n * n, dtype=np.float64)).reshape(n, n)
    now = before.copy()
    after = np.zeros((n, n))
    for t in (loop := _wave_step.over(
        range(steps),
        scalars=lambda t: (0.001 * t,),
        now=now,
        before=before,
        after=after,
    )):
        lap = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:] - 4 * now[1:-1, 1:-1]
        after[1:-1, 1:-1] = 2 * now[1:-1, 1:-1] - before[1:-1, 1:-1] + 0.1 * lap
        after[0, :] = 0.001 * t
        before, now, after = now, after, before
    if loop.finished:
        (before, now, after) = loop.results
    return before, now, after


def cases():
    for steps in (1, 4, 5, 260):
        yield "wave", (9, steps)
