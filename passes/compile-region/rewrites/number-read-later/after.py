"""A number that is read after the region is computed anew there; a shape is that of the array from before."""

import numpy as np

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    scalars={"scalar_float64": "float64"},
    constants={"width": "float64"},
    inputs={"vel": "float64"},
    carried={"pos": "float64"},
    out={"j": "int64"},
    ranks={"vel": 1, "pos": 1},
    once=True,
    compile=True,
)
def _density_region(scalar_float64, width, vel, pos):
    """Lines of `density`."""
    pos = pos.copy()
    pos += vel
    pos = npr.remainder(pos, width)
    j = np.floor(pos / scalar_float64).astype(int)
    return pos, j


@npr.step(
    scalars={"scalar_float64_1": npr.exact("float64")},
    inputs={"counts": "int64", "j": "int64"},
    carried={"vel": "float64"},
    once=True,
    picks=True,
    compile=True,
)
def _density_region_1(scalar_float64_1, counts, j, vel):
    """Lines of `density`."""
    vel = vel + counts[j] * scalar_float64_1
    return (vel,)


@nprewrite.jit
def density(count: int, cells: int, width: float):
    pos, vel = np.linspace(0, 2, count), np.linspace(-1, 1, count)
    for _ in range(3):
        for once in (region := _density_region.over(
            range(1),
            scalars=lambda once: (width / cells,),
            width=width,
            vel=vel,
            pos=pos,
        )):
            pos += vel
            pos = np.mod(pos, width)
            n = pos.shape[0]
            dx = width / cells
            j = np.floor(pos / dx).astype(int)
        if region.finished:
            (pos, j) = region.results
        del region
        n = pos.shape[0]
        dx = width / cells
        counts = np.bincount(j, minlength=cells)
        for once_1 in (region_1 := _density_region_1.over(
            range(1),
            scalars=lambda once_1: (dx / n,),
            counts=counts,
            j=j,
            vel=vel,
        )):
            vel = vel + counts[j] * (dx / n)
        if region_1.finished:
            (vel,) = region_1.results
        del region_1
    return pos, vel


def cases():
    yield "density", (6, 8, 4.0)
