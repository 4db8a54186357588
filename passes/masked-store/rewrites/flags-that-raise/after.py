"""Where np.geterr() asks to raise or call, the loop runs as written: the error comes where it came.

Hazards: 1.neutral, 3.exception
"""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    state={"x": "float64"},
    lanewise=True,
    chunked=True,
    live="m",
    compile=True,
)
def _invert_step(x):
    """One iteration of the loop over `_` in `invert`."""
    m = x != 0
    x = np.where(m, 1.0 / (x * x), x)
    return x, m


def invert(x: npt.NDArray[np.float64], trips: int):
    for _ in _invert_step.over(range(trips), x=x):
        m = x != 0
        x[m] = 1.0 / (x[m] * x[m])
    return x


def strictly(x: npt.NDArray[np.float64], trips: int, mode: str):
    seen = []
    with np.errstate(all=mode, call=lambda kind, flag: seen.append(kind)):
        invert(x, trips)
    return x, seen


def cases():
    yield "invert", (np.array([0.0, 2.0, -0.0, 1e-310, np.nan, np.inf]), 9)
    yield "strictly", (np.array([0.0, 2.0, -0.0]), 3, "raise")
    yield "strictly", (np.array([0.0, 2.0, -0.5]), 20, "raise"), FloatingPointError
    yield "strictly", (np.array([0.0, 2.0, 1e-310]), 9, "raise"), FloatingPointError
    yield "strictly", (np.array([0.0, 2.0, 1e-310]), 9, "call")
    yield "strictly", (np.array([0.0, 2.0, 1e-310]), 9, "ignore")
