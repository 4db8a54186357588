"""A list passes the annotation, and a list times a list raises."""

import numpy as np
import numpy.typing as npt


def scaled(values: npt.NDArray[np.float64]):
    return values * [1, 2]


def cases():
    yield "scaled", (np.ones((3, 2)),)
    yield "scaled", ([1.0, 2.0],), TypeError
