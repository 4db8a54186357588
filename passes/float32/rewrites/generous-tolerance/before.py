"""A tolerance that float32 can reach."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def fixed_point(n: int):
    x = np.linspace(0, 1, n)
    change = 1.0
    while change > 1e-3:
        y = np.cos(x)
        change = float(np.abs(y - x).max())
        x = y
    for _ in range(9):
        y = np.cos(x)
        if np.abs(y - x).max() < 1e-5:
            break
        x = y
    return x


def cases():
    for n in (1, 12):
        yield "fixed_point", (n,)
