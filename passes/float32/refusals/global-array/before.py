"""A global array would change its dtype for all other code."""

import numpy as np

import nprewrite

table = np.zeros(3)


@nprewrite.jit(level="fast", precision="float32")
def refill(n: int):
    global table
    table = np.linspace(0, 1, n)  # refused here


def cases():
    yield "refill", (5,)
