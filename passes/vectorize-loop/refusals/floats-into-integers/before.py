"""nan raises where one number is stored into integers, and not where many are."""

import numpy as np
import numpy.typing as npt


def rounded(x: npt.NDArray[np.float64]):
    y = np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        y[i] = x[i] * 2
    return y


def cases():
    yield "rounded", (np.array([0.5, 1.75]),)
    yield "rounded", (np.array([0.5, np.nan]),), ValueError
