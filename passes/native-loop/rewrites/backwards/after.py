"""A range taken from its end, as back substitution does."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _back_substitution_loop(x, c):
    """The loop in `back_substitution`."""
    for i in reversed(range(len(x) - 1)):
        x[i] = x[i] - c[i] * x[i + 1]


def back_substitution(c: npt.NDArray[np.float64], x: npt.NDArray[np.float64]):
    _back_substitution_loop(x, c)
    return x


@npr.native
def _undone_loop(x, start, total):
    """The loop in `undone`."""
    for i in reversed(range(len(x) - 1, start, -1)):
        total = total * 0.5 + x[i]
        x[i] = total
    return total


def undone(x: npt.NDArray[np.float64], start: int):
    total = 1.0
    total = _undone_loop(x, start, total)
    return total


def cases():
    yield "back_substitution", (np.linspace(0, 1, 6), np.ones(6))
    yield "back_substitution", (np.linspace(0, 1, 2), np.ones(6)), IndexError
    yield "back_substitution", (np.ones(0), np.ones(0))
    yield "undone", (np.linspace(0, 1, 6), 2)
    yield "undone", (np.linspace(0, 1, 6), -3)
    yield "undone", (np.linspace(0, 1, 6), 9)
