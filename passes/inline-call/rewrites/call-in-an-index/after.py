"""A function that computes where to store."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


def touched(full):
    near = np.zeros_like(full)
    near[1:] |= full[:-1]
    near[:-1] |= full[1:]
    return near


@npr.step(
    counter="n",
    carried={"x": "float64"},
    aligned=("x",),
    compile=True,
)
def _spread_step(x):
    """One iteration of the loop over `n` in `spread`."""
    new = x.copy()
    touched_full = x > 1
    touched_near = np.zeros_like(touched_full)
    touched_near[1:] |= touched_full[:-1]
    touched_near[:-1] |= touched_full[1:]
    new[...] = np.where((x == 0) & touched_near, 2.0, new)
    x = new * 0.75
    return (x,)


@nprewrite.jit
def spread(x: npt.NDArray[np.float64], steps: int):
    for n in (loop := _spread_step.over(range(steps), x=x)):
        new = x.copy()
        touched_full = x > 1
        touched_near = np.zeros_like(touched_full)
        touched_near[1:] |= touched_full[:-1]
        touched_near[:-1] |= touched_full[1:]
        del touched_full
        new[(x == 0) & touched_near] = 2.0
        del touched_near
        x = new * 0.75
    if loop.finished:
        (x,) = loop.results
    return x


def cases():
    for size, steps in ((7, 3), (1, 2), (6, 0)):
        yield "spread", (np.where(np.arange(size) % 3 == 0, np.arange(float(size)), 0.0), steps)
