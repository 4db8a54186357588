"""The sum is taken in double precision and stored in single, and so are the parts.

Hazards: 5.narrow
"""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def spread(x: npt.NDArray[np.float32], flow: npt.NDArray[np.float64]):
    x[1:] += flow[1:]
    x[:-1] -= flow[1:] * 0.5


def cases():
    rng = np.random.default_rng(1)
    yield "spread", (rng.normal(size=9).astype(np.float32), rng.normal(size=9))
    yield "spread", (np.full(4, 1e8, np.float32), np.full(4, 3.9999999999))
