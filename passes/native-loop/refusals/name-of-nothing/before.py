"""A name that nothing binds raises where it is read, which here is not before the first store."""

import numpy as np
import numpy.typing as npt


def scaled(x: npt.NDArray[np.float64], limit: float):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
        if x[i] > limit:
            x[i] *= sacle
    return x


def cases():
    yield "scaled", (np.linspace(0, 1, 5), 0.5), NameError
    yield "scaled", (np.linspace(0, 1, 5), 200.0)
