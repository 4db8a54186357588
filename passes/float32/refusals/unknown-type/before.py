"""Nothing says what the object holds."""

import numpy as np

import nprewrite

settings = {"scale": 2.0}


@nprewrite.jit(level="fast", precision="float32")
def scaled(n: int):
    x = np.linspace(0, 1, n)
    return x * settings["scale"]  # refused here


def cases():
    yield "scaled", (5,)
