"""Elements outside of the parts keep every bit: negative zeros, infinities, nan.

Hazards: 5.zero-padding
"""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def spread(x: npt.NDArray[np.float64], flow: npt.NDArray[np.float64]):
    x[1:] += flow[1:]
    x[:-1] -= flow[1:]
    x[-1] += flow[0] * 0.5


def cases():
    values = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.5]
    for first in values:
        yield "spread", (np.array([first, -0.0, *values]), np.array([-0.0, 0.0, *values]))
    yield "spread", (np.full((3, 2), -0.0), np.full((3, 2), -0.0))
    yield "spread", (np.zeros(1), np.zeros(1))
    yield "spread", (np.zeros(3), np.zeros(4)), ValueError
