"""Elements outside of the parts keep every bit: negative zeros, infinities, nan.

Hazards: 5.zero-padding
"""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"flow": "float64"},
    state={"x": "float64"},
    once=True,
    compile=True,
)
def _spread_region(flow, x):
    """Lines of `spread`."""
    x_part = np.full_like(x, -0.0)
    x_part[1:] = np.broadcast_to(flow[1:], x_part[1:].shape)
    x += x_part
    x_part_1 = np.zeros_like(x)
    x_part_1[:-1] = np.broadcast_to(flow[1:], x_part_1[:-1].shape)
    x -= x_part_1
    x_part_2 = np.full_like(x, -0.0)
    x_part_2[-1] = np.broadcast_to(flow[0] * 0.5, x_part_2[-1].shape)
    x += x_part_2
    return (x,)


@nprewrite.jit
def spread(x: npt.NDArray[np.float64], flow: npt.NDArray[np.float64]):
    for once in (region := _spread_region.over(range(1), flow=flow, x=x)):
        x[1:] += flow[1:]
        x[:-1] -= flow[1:]
        x[-1] += flow[0] * 0.5


def cases():
    values = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.5]
    for first in values:
        yield "spread", (np.array([first, -0.0, *values]), np.array([-0.0, 0.0, *values]))
    yield "spread", (np.full((3, 2), -0.0), np.full((3, 2), -0.0))
    yield "spread", (np.zeros(1), np.zeros(1))
    yield "spread", (np.zeros(3), np.zeros(4)), ValueError
