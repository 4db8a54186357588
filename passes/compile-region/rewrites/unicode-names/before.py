"""Names in other alphabets: code over arrays becomes a region."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def mixed(x: npt.NDArray[np.float64], log: list):
    α = np.exp(-x * x) + x  # the first of two
    b = np.sqrt(np.abs(α)) * 2 + α
    log.append(x.size)
    return np.sin(α) + b * 0.5


def cases():
    for size in (0, 1, 9):
        yield "mixed", (np.linspace(-1.0, 2.0, size), [])
