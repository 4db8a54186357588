"""The positions lie further and further apart: no slice does."""

import numpy as np
import numpy.typing as npt


def squares(x: npt.NDArray[np.float64], n: int):
    s = np.zeros(n)
    for i in range(n):
        s[i] = x[i * i]
    return s


def cases():
    yield "squares", (np.arange(10.0), 3)
