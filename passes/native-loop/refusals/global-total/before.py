"""The total is a name of the module: other code sees it while the loop runs."""

import numpy as np
import numpy.typing as npt

total = 0.0


def add_up(x: npt.NDArray[np.float64]):
    global total
    total = 0.0
    for i in range(len(x)):
        total += x[i]
    return total


def cases():
    yield "add_up", (np.linspace(0, 1, 5),)
