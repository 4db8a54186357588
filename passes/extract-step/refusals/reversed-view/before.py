"""The view runs backwards: torch would make a copy, and what is stored into it would be lost."""

import numpy as np
import numpy.typing as npt


def damp(x: npt.NDArray[np.float64], trips: int):
    for n in range(trips):
        back = x[::-1]
        back *= 0.5
    return x


def cases():
    yield "damp", (np.arange(3.0), 2)
