"""A np.ma array passes the annotation, and its maximum leaves out what it masks.

Hazards: 1.17
"""

import numpy as np
import numpy.typing as npt


def top(x: npt.NDArray[np.float64]):
    return x[x > 2.0].max()


def cases():
    yield "top", (np.arange(6.0),)
    yield "top", (np.ma.masked_greater(np.arange(6.0), 4),)
