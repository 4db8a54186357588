"""The counter of an inner loop is read after that loop, which sets it."""

import numpy as np
import numpy.typing as npt
import nprewrite.runtime as npr


@npr.native
def _steps_loop(n, k, out):
    """The loop in `steps`."""
    for i in range(n):
        for j in range(2):
            k += j
        out[i] = k * j
    return k


def steps(out: npt.NDArray[np.float64], n: int):
    k = 0
    k = _steps_loop(n, k, out)
    return out, k


def cases():
    for n in (4, 0):
        yield "steps", (np.zeros(5), n)
    yield "steps", (np.zeros(5), 7), IndexError
