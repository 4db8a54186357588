"""Particles that have left a box come back, with new speeds: a bool array picks from several arrays."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@nprewrite.jit
def reflect(position: npt.NDArray[np.float64], speed: npt.NDArray[np.float64], seed: int):
    rng = np.random.default_rng(seed)
    out = position > 1.0
    out_at = npr.positions(out, position, speed)
    beyond = position[out_at] - 1.0
    exponential_value = rng.exponential(1.0, beyond.size)
    speed[out_at] = -exponential_value
    del exponential_value
    for axis in range(2):
        position[out_at] += 0.25 * speed[out_at] * beyond
    return position


def cases():
    rng = np.random.default_rng(3)
    for count, scale in ((2000, 1.2), (2000, 9.0), (20, 2.0)):
        yield "reflect", (scale * rng.random(count), rng.random(count), 7)
