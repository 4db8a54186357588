"""A name that is bound inside of an expression."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def doubled(n: int):
    return (x := np.linspace(0, 1, n)) + x  # refused here


def cases():
    yield "doubled", (5,)
