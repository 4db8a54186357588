"""Arguments that share memory: what one store changes, the other name reads.
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    state={"y": "float64", "x": "float64"},
    lanewise=True,
    chunked=True,
    compile=True,
)
def _couple_step(y, x):
    """One iteration of the loop over `_` in `couple`."""
    x += 0.5 * y
    y -= 0.25 * x
    return y, x


def couple(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], trips: int):
    for _ in _couple_step.over(range(trips), y=y, x=x):
        x += 0.5 * y
        y -= 0.25 * x
    return x, y


@npr.step(
    counter="_",
    inputs={"y": "float64"},
    state={"x": "float64"},
    lanewise=True,
    chunked=True,
    live="m",
    compile=True,
)
def _follow_step(y, x):
    """One iteration of the loop over `_` in `follow`."""
    m = x < 10
    x = np.where(m, x + y, x)
    return x, m


def follow(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], trips: int):
    for _ in _follow_step.over(range(trips), y=y, x=x):
        m = x < 10
        x[m] = x[m] + y[m]
    return x


def cases():
    row = np.linspace(0, 1, 8)
    for trips in (9, 8, 1, 0):
        yield "couple", (row.copy(), row[::-1].copy(), trips)
        yield "follow", (row.copy(), row[::-1].copy(), trips)
    for first, second in ((slice(None), slice(None)), (slice(1, None), slice(-1)), (slice(None, None, -1), slice(None))):
        base = row.copy()
        yield "couple", (base[first], base[second], 9)
        base = row.copy()
        yield "follow", (base[first], base[second], 9)
    base = row.copy()
    yield "couple", (base[::2], base[1::2], 9)
    base = np.zeros((2, 4))
    yield "follow", (base[0], np.broadcast_to(np.array(0.5), (4,)), 9)
