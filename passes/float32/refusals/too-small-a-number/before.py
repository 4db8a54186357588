"""A guard against a division by zero that is zero in float32."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def inverse(n: int):
    x = np.linspace(0, 1, n)
    return 1 / (x + 1e-300)  # refused here


def cases():
    yield "inverse", (5,)
