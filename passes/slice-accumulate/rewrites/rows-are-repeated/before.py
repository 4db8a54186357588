"""A row is added to several rows; one with more axes than the part raises, as an assignment would not.

Hazards: 5.broadcast
"""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def drift(x: npt.NDArray[np.float64], wind: npt.NDArray[np.float64]):
    d = x * 0.5
    d[1:] += wind * 2.0
    d[:-1] -= wind * 2.0
    return d


def cases():
    x = np.arange(12.0).reshape(4, 3)
    yield "drift", (x, np.array([1.0, 2.0, 3.0]))
    yield "drift", (x, np.ones((3, 3)))
    yield "drift", (x, np.ones((1, 3, 3))), ValueError
    yield "drift", (x, np.ones(2)), ValueError
