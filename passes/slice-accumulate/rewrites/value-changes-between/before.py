"""What a value reads is stored into between its two uses: both are computed, and a sum may read its own array.

Hazards: 5.overlap
"""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def settle(u: npt.NDArray[np.float64], d: npt.NDArray[np.float64]):
    d[1:] += 0.5 * (u[1:] - u[:-1])
    u[0] = 2.0
    d[:-1] += 0.5 * (u[1:] - u[:-1])
    d[1:] += 0.5 * (d[:-1] - d[1:])
    d[:-1] += 0.5 * (d[:-1] - d[1:])


def cases():
    rng = np.random.default_rng(1)
    yield "settle", (rng.normal(size=7), rng.normal(size=7))
    yield "settle", (rng.normal(size=(4, 3)), rng.normal(size=(4, 3)))
    whole = rng.normal(size=9)
    yield "settle", (whole[:8], whole[1:])
