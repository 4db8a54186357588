"""Arrays of evenly spaced numbers, and of one number that is a parameter, are made where they are computed with."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def ruled(x: npt.NDArray[np.float64], n: int, low: float, k: int):
    t = np.linspace(low, 2 * low + k, n)
    inside = np.linspace(0, 1, len(x) + 1, endpoint=False)
    spread = np.linspace(x.min(), x.max(), num=n)
    level = np.full((n, len(x)), low / 2, dtype=np.float32)
    last = np.full_like(x, k)
    return t * spread + 1, inside[1:] * x + last, level * 2


def cases():
    for n in (0, 1, 2, 9):
        yield "ruled", (np.arange(5.0) ** 2, n, 0.1, 3)
        yield "ruled", (np.ones(3), n, -0.0, 0)
    yield "ruled", (np.arange(4.0), 5, float("inf"), 3)
    yield "ruled", (np.arange(4.0), 5, 2e-323, 0)
    yield "ruled", (np.arange(4.0), 5, 0.1, 2**70)
    yield "ruled", (np.arange(4.0), -1, 0.1, 3), ValueError
    yield "ruled", (np.zeros(0), 3, 0.1, 3), ValueError
