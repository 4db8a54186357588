"""An exception of a class of the program's own is made where the loop as written comes to it."""

import numpy as np
import numpy.typing as npt


class NotSorted(Exception):
    pass


def check(x: npt.NDArray[np.float64]):
    for i in range(1, len(x)):
        if x[i] < x[i - 1]:
            raise NotSorted(i)
        x[i - 1] = x[i] - x[i - 1]
    return True


def cases():
    yield "check", (np.linspace(0, 1, 5),)
    yield "check", (np.zeros(0),)
