"""An exception with a message of its own."""

import numpy as np
import numpy.typing as npt


def check(x: npt.NDArray[np.float64]):
    for i in range(1, len(x)):
        if x[i] < x[i - 1]:
            raise ValueError(f"not sorted at {i}")
    return True


def cases():
    yield "check", (np.linspace(0, 1, 5),)
    yield "check", (np.linspace(1, 0, 5),), ValueError
