"""A compiled generator draws other numbers."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def noisy(x: npt.NDArray[np.float64], rng: np.random.Generator):
    np.random.seed(7)
    y = x * 2 + np.random.normal(x)
    return y


def cases():
    yield "noisy", (np.arange(3.0), None)
