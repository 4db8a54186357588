"""Integers, which wrap, and numbers that are added everywhere in a part."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def neighbours(alive: npt.NDArray[np.uint8]):
    count = np.zeros_like(alive)
    count[1:, :] += alive[:-1, :]
    count[:-1, :] += alive[1:, :]
    count[:, 1:] -= alive[:, :-1]
    count[:, :-1] += alive[:, 1:]
    count[0] += 3
    return count


def cases():
    rng = np.random.default_rng(1)
    yield "neighbours", (rng.integers(0, 2, (6, 5), dtype=np.uint8),)
    yield "neighbours", (rng.integers(0, 256, (3, 3), dtype=np.uint8),)
    yield "neighbours", (np.ones((1, 1), np.uint8),)
