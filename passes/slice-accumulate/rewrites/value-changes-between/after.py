"""What a value reads is stored into between its two uses: both are computed, and a sum may read its own array.

Hazards: 5.overlap
"""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    state={"u": "float64", "d": "float64"},
    once=True,
    compile=True,
)
def _settle_region(u, d):
    """Lines of `settle`."""
    d_part = np.full_like(d, -0.0)
    d_part[1:] = np.broadcast_to(0.5 * (u[1:] - u[:-1]), d_part[1:].shape)
    d += d_part
    u[0] = 2.0
    d_part_1 = np.full_like(d, -0.0)
    d_part_1[:-1] = np.broadcast_to(0.5 * (u[1:] - u[:-1]), d_part_1[:-1].shape)
    d += d_part_1
    d_part_2 = np.full_like(d, -0.0)
    d_part_2[1:] = np.broadcast_to(0.5 * (d[:-1] - d[1:]), d_part_2[1:].shape)
    d += d_part_2
    d_part_3 = np.full_like(d, -0.0)
    d_part_3[:-1] = np.broadcast_to(0.5 * (d[:-1] - d[1:]), d_part_3[:-1].shape)
    d += d_part_3
    return u, d


@nprewrite.jit
def settle(u: npt.NDArray[np.float64], d: npt.NDArray[np.float64]):
    for once in (region := _settle_region.over(range(1), u=u, d=d)):
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
