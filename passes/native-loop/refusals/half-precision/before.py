"""Numba computes with no float16."""

import numpy as np
import numpy.typing as npt


def decay(x: npt.NDArray[np.float16]):
    for i in range(1, len(x)):
        x[i] = 0.5 * x[i - 1] + x[i]
    return x


def cases():
    yield "decay", (np.linspace(0, 1, 5).astype(np.float16),)
