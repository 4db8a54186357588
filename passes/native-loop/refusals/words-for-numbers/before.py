"""Strings are no numbers."""

import numpy as np
import numpy.typing as npt


def signs(x: npt.NDArray[np.float64]):
    word = ""
    for i in range(1, len(x)):
        word = word + "+" if x[i] > x[i - 1] else word + "-"
    return word


def cases():
    yield "signs", (np.array([1.0, 2.0, 0.0]),)
