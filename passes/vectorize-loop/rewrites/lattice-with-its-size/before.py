"""The size comes with the arrays: where it is that of the axes, slices run to their end, and are compiled."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def relaxed(u: npt.NDArray[np.float64], n: int):
    flow = np.zeros_like(u)

    # Between neighbours.
    for i in range(n):
        if i > 0:
            flow[i] += 0.5 * (u[i - 1] - u[i])
        if i < n - 1:
            flow[i] += u[i + 1] - u[i]
    return u + flow


def cases():
    u = np.arange(9.0) ** 2
    yield "relaxed", (u, 9)
    yield "relaxed", (u, 4)
    yield "relaxed", (u, 0)
    yield "relaxed", (u, -3)
    yield "relaxed", (u, 10), IndexError
    yield "relaxed", (np.zeros(0), 0)
    yield "relaxed", (np.full(5, -0.0), 5)
    yield "relaxed", (np.arange(12.0).reshape(4, 3), 4)
