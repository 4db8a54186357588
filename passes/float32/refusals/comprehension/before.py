"""What a comprehension computes is not followed."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def powers(n: int):
    x = np.linspace(0, 1, n)
    rows = [x**k for k in range(n)]  # refused here
    return len(rows), x.sum()


def cases():
    yield "powers", (5,)
