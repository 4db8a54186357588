"""A loop over a state in float32, extracted as a step like any other."""

import numpy as np

import nprewrite


@nprewrite.jit(level="fast", precision="float32")
def heat(n: int, steps: int, k: float):
    u = np.zeros((n, n))
    u[n // 2, n // 2] = 100.0
    for _ in range(steps):
        u[1:-1, 1:-1] += k * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return u


def cases():
    for n, steps in ((5, 3), (12, 20), (9, 0)):
        yield "heat", (n, steps, 0.2)
