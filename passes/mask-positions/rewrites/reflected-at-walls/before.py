"""Particles that have left a box come back, with new speeds: a bool array picks from several arrays."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def reflect(position: npt.NDArray[np.float64], speed: npt.NDArray[np.float64], seed: int):
    rng = np.random.default_rng(seed)
    out = position > 1.0
    beyond = position[out] - 1.0
    speed[out] = -rng.exponential(1.0, beyond.size)
    for axis in range(2):
        position[out] += 0.25 * speed[out] * beyond
    return position


def cases():
    rng = np.random.default_rng(3)
    for count, scale in ((2000, 1.2), (2000, 9.0), (20, 2.0)):
        yield "reflect", (scale * rng.random(count), rng.random(count), 7)
