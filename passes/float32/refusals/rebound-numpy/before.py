"""np is not NumPy everywhere."""

import numpy as np

import nprewrite

if np.__version__ < "1":
    np = None


@nprewrite.jit(level="fast", precision="float32")
def ramp(n: int):  # refused here
    return np.linspace(0, 1, n) * 2


def cases():
    yield "ramp", (5,)
