"""The attribute may be the array that the expression reads."""

from types import SimpleNamespace

import numpy as np
import numpy.typing as npt


def advance(model, x: npt.NDArray[np.float64], steps: int):
    total = np.zeros(x.shape)
    for n in range(steps):
        total = total + np.exp(-x)
        model.u[0] += 1.0
    return total


def same(size, steps):
    x = np.linspace(0.0, 1.0, size)
    return advance(SimpleNamespace(u=x), x, steps)


def cases():
    yield "same", (5, 3)
