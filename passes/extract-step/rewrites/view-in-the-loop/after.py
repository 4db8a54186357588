"""A view taken before the loop is read in it while the array changes.
"""

import numpy as np
import nprewrite.runtime as npr


@npr.step(
    counter="n",
    inputs={"mirror": "float64"},
    state={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _reflect_step(mirror, x):
    """One iteration of the loop over `n` in `reflect`."""
    x += 0.5 * mirror
    return (x,)


def reflect(size: int, trips: int):
    x = np.linspace(0, 1, size)
    mirror = x[::-1]
    for n in _reflect_step.over(range(trips), mirror=mirror, x=x):
        x += 0.5 * mirror
    return x, mirror


def cases():
    yield "reflect", (4, 9)
