"""The limit changes inside the loop.

Hazards: 3.frozen-range
"""

import numpy as np
import nprewrite.runtime as npr


def _stretch_trips(d, m):
    """The numbers of each iteration of the loop in `stretch`."""
    while d < m:
        yield (d,)
        d += 1
        if d == 3:
            m += 2
    return ()


@npr.step(
    scalars={"d": "float64"},
    state={"x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _stretch_step(d, x):
    """One iteration of the loop in `stretch`."""
    x += d
    return (x,)


def stretch(size: int, m: int):
    x = np.zeros(size)
    d = 0
    for once in _stretch_step.over(_stretch_trips(d, m), x=x):
        while d < m:
            x += d
            d += 1
            if d == 3:
                m += 2
    return x


def cases():
    yield "stretch", (4, 5)
