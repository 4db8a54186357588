"""Sums that become a column, of a length with a name: nobody else sees the memory, and it leaves the region."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    scalars={"scalar_float64": "float64"},
    inputs={"pos": "float64"},
    out={"w": "float64"},
    once=True,
    grows=True,
    compile=True,
)
def _density_region(scalar_float64, pos):
    """Lines of `density`."""
    dx = pos[:, :1] - pos[:, :1].T
    dy = pos[:, 1:] - pos[:, 1:].T
    w = np.exp(-(dx**2 + dy**2) / scalar_float64)
    return (w,)


@npr.step(
    constants={"mass": "float64"},
    sizes=("count",),
    inputs={"w": "float64"},
    out={"rho": "float64"},
    once=True,
    compile=True,
)
def _density_region_1(mass, count, w):
    """Lines of `density`."""
    rho = np.sum(mass * w, 1).reshape((count, 1))
    return (rho,)


@nprewrite.jit
def density(pos: npt.NDArray[np.float64], mass: float, h: float):
    print("density of", len(pos))
    for once in (region := _density_region.over(range(1), scalars=lambda once: (h ** 2,), pos=pos)):
        dx = pos[:, :1] - pos[:, :1].T
        dy = pos[:, 1:] - pos[:, 1:].T
        w = np.exp(-(dx**2 + dy**2) / h**2)
    if region.finished:
        (w,) = region.results
    del region
    count = pos.shape[0]
    for once_1 in (region_1 := _density_region_1.over(range(1), mass=mass, count=count, w=w)):
        rho = np.sum(mass * w, 1).reshape((count, 1))
    if region_1.finished:
        (rho,) = region_1.results
    del region_1
    print("done")
    rho += 1.0
    return rho


def cases():
    for count in (0, 1, 5):
        yield "density", (np.linspace(0.0, 1.0, 2 * count).reshape(count, 2), 0.5, 0.25)
