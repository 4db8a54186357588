"""The sum is taken in double precision and stored in single, and so are the parts.

Hazards: 5.narrow
"""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"flow": "float64"},
    state={"x": "float32"},
    once=True,
    compile=True,
)
def _spread_region(flow, x):
    """Lines of `spread`."""
    x_part = np.full_like(x, -0.0, dtype=np.float64)
    x_part[1:] = np.broadcast_to(flow[1:], x_part[1:].shape)
    x += x_part
    x_part_1 = np.zeros_like(x, dtype=np.float64)
    x_part_1[:-1] = np.broadcast_to(flow[1:] * 0.5, x_part_1[:-1].shape)
    x -= x_part_1
    return (x,)


@nprewrite.jit
def spread(x: npt.NDArray[np.float32], flow: npt.NDArray[np.float64]):
    for once in (region := _spread_region.over(range(1), flow=flow, x=x)):
        x[1:] += flow[1:]
        x[:-1] -= flow[1:] * 0.5


def cases():
    rng = np.random.default_rng(1)
    yield "spread", (rng.normal(size=9).astype(np.float32), rng.normal(size=9))
    yield "spread", (np.full(4, 1e8, np.float32), np.full(4, 3.9999999999))
