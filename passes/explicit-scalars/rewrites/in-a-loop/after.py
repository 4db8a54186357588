"""In a loop the array is made once, before the outermost loop."""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="k",
    scalars={"k": "float64"},
    inputs={"numbers": "float64"},
    carried={"x": "float64"},
    looped=True,
    compile=True,
)
def _blend_step(k, numbers, x):
    """One iteration of the loop over `k` in `blend`."""
    x = x * numbers + 1
    x = x - k
    return (x,)


def blend(trips):
    x = np.ones((4000, 3))
    numbers = np.array([0.5, 0.25, 0.125])
    for _ in range(trips):
        for k in (loop := _blend_step.over(range(4), numbers=numbers, x=x)):
            x = x * numbers + 1
            x = x - k
        if loop.finished:
            (x,) = loop.results
    return x


def cases():
    yield "blend", (5,)
    yield "blend", (1,)
    yield "blend", (0,)
    yield "blend", ("3",), TypeError
