"""A range taken from its end, as back substitution does."""

import numpy as np
import numpy.typing as npt


def back_substitution(c: npt.NDArray[np.float64], x: npt.NDArray[np.float64]):
    for i in reversed(range(len(x) - 1)):
        x[i] = x[i] - c[i] * x[i + 1]
    return x


def undone(x: npt.NDArray[np.float64], start: int):
    total = 1.0
    for i in reversed(range(len(x) - 1, start, -1)):
        total = total * 0.5 + x[i]
        x[i] = total
    return total


def cases():
    yield "back_substitution", (np.linspace(0, 1, 6), np.ones(6))
    yield "back_substitution", (np.linspace(0, 1, 2), np.ones(6)), IndexError
    yield "back_substitution", (np.ones(0), np.ones(0))
    yield "undone", (np.linspace(0, 1, 6), 2)
    yield "undone", (np.linspace(0, 1, 6), -3)
    yield "undone", (np.linspace(0, 1, 6), 9)
