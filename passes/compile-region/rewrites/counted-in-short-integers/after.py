"""A region ends before a sum into integers that torch has no sums of."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"grid": "uint8", "chance": "float64"},
    out={"new": "uint8"},
    once=True,
    compile=True,
)
def _grown_region(grid, chance):
    """Lines of `grown`."""
    near = grid > 1
    new = np.where(near & (chance < 0.5), 2, grid)
    return (new,)


@npr.step(
    inputs={"new": "uint8"},
    out={"result": "uint8"},
    once=True,
    compile=True,
)
def _grown_region_1(new):
    """Lines of `grown`."""
    result = new * 2 + 1
    return (result,)


@nprewrite.jit
def grown(grid: npt.NDArray[np.uint8], chance: npt.NDArray[np.float64], count: npt.NDArray[np.uint16]):
    for once in (region := _grown_region.over(range(1), grid=grid, chance=chance)):
        near = grid > 1
        new = np.where(near & (chance < 0.5), 2, grid)
    if region.finished:
        (new,) = region.results
    del region
    count += new > 1
    for once_1 in (region_1 := _grown_region_1.over(range(1), new=new)):
        return new * 2 + 1
    (result,) = region_1.results
    return result


def cases():
    rng = np.random.default_rng(0)
    for size in (1, 9):
        grid = rng.integers(0, 3, size, np.uint8)
        yield "grown", (grid, rng.random(size), np.full(size, 65535, np.uint16))
