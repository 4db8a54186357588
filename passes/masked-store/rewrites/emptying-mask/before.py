"""The mask empties soon and stays empty: the cost follows the live lanes, the result is the same.

Hazards: 1.cost, 3.idempotent
"""

import numpy as np
import numpy.typing as npt


def settle(x: npt.NDArray[np.float64], trips: int):
    left = np.zeros(x.shape, dtype=np.int64)
    for n in range(trips):
        m = x > 1.0
        x[m] = x[m] / 2
        left[m] = n
    return x, left


def cases():
    yield "settle", (np.linspace(0.0, 1000.0, 40_000), 30)
    yield "settle", (np.linspace(0.0, 1000.0, 40_000).reshape(200, 200).T, 9)
    spike = np.zeros(40_000)
    spike[123] = 1e300
    yield "settle", (spike, 2000)
    yield "settle", (np.zeros(5), 203)
