"""Elements of arrays side by side, as many as the shortest array has, with their number or without."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _blend_loop(x, y, last, k):
    """The loop in `blend`."""
    for a, b in zip(x, y):
        last = 0.5 * last + a * b
        x[k] = last
        k += 1


def blend(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]):
    last = 0.0
    k = 0
    _blend_loop(x, y, last, k)
    return x


@npr.native
def _numbered_loop(x, y, total, out):
    """The loop in `numbered`."""
    for k, (a, b) in enumerate(zip(x, y)):
        total = total * 0.5 + a * b
        out[k] = total
    return total


def numbered(x: npt.NDArray[np.float64], y: npt.NDArray[np.int64], out: npt.NDArray[np.float64]):
    total = 0.0
    total = _numbered_loop(x, y, total, out)
    return total


def cases():
    yield "blend", (np.linspace(0, 1, 5), np.ones(5))
    yield "blend", (np.linspace(0, 1, 5), np.ones(3))
    yield "blend", (np.linspace(0, 1, 5), np.ones(0))
    yield "numbered", (np.linspace(0, 1, 5), np.arange(7), np.zeros(5))
    yield "numbered", (np.linspace(0, 1, 5), np.arange(7), np.zeros(2)), IndexError
    yield "numbered", (np.zeros(0), np.arange(7), np.zeros(2))
