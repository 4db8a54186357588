"""A call whose argument is no literal is computed by NumPy, and what stands around it is compiled."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def shifted(x: npt.NDArray[np.float64], n: int):
    p = x * x + 1
    p = p / 2
    q = np.roll(p, n) * 2 + p
    r = np.diff(q, prepend=0.0) * 3 - p
    return r * q + 1


def cases():
    for n in (0, 2, -1):
        yield "shifted", (np.arange(6.0), n)
    yield "shifted", (np.arange(6.0), None), TypeError
