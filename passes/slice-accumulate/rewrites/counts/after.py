"""Integers, which wrap, and numbers that are added everywhere in a part."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"alive": "uint8"},
    out={"count": "uint8"},
    once=True,
    compile=True,
)
def _neighbours_region(alive):
    """Lines of `neighbours`."""
    count = np.zeros_like(alive)
    count_part = np.zeros_like(count)
    count_part[1:, :] = np.broadcast_to(alive[:-1, :], count_part[1:, :].shape)
    count += count_part
    count_part_1 = np.zeros_like(count)
    count_part_1[:-1, :] = np.broadcast_to(alive[1:, :], count_part_1[:-1, :].shape)
    count += count_part_1
    count_part_2 = np.zeros_like(count)
    count_part_2[:, 1:] = np.broadcast_to(alive[:, :-1], count_part_2[:, 1:].shape)
    count -= count_part_2
    count_part_3 = np.zeros_like(count)
    count_part_3[:, :-1] = np.broadcast_to(alive[:, 1:], count_part_3[:, :-1].shape)
    count += count_part_3
    count_part_4 = np.zeros_like(count)
    count_part_4[0] = 3
    count += count_part_4
    return (count,)


@nprewrite.jit
def neighbours(alive: npt.NDArray[np.uint8]):
    for once in (region := _neighbours_region.over(range(1), alive=alive)):
        count = np.zeros_like(alive)
        count[1:, :] += alive[:-1, :]
        count[:-1, :] += alive[1:, :]
        count[:, 1:] -= alive[:, :-1]
        count[:, :-1] += alive[:, 1:]
        count[0] += 3
    if region.finished:
        (count,) = region.results
    return count


def cases():
    rng = np.random.default_rng(1)
    yield "neighbours", (rng.integers(0, 2, (6, 5), dtype=np.uint8),)
    yield "neighbours", (rng.integers(0, 256, (3, 3), dtype=np.uint8),)
    yield "neighbours", (np.ones((1, 1), np.uint8),)
