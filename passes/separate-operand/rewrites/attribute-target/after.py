"""The value of an attribute, and array code among values that are none."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


class Field:
    def __init__(self):
        self.energy = 0.0


@npr.step(
    inputs={"u": "float64"},
    out={"value": "float64"},
    once=True,
    compile=True,
)
def _relax_region(u):
    """Lines of `relax`."""
    value = (u * u).sum() / 2
    return (value,)


@npr.step(
    inputs={"u": "float64"},
    out={"sqrt_value": "float64"},
    once=True,
    compile=True,
)
def _relax_region_1(u):
    """Lines of `relax`."""
    sqrt_value = np.sqrt(u * u + 1)
    return (sqrt_value,)


@nprewrite.jit
def relax(u: npt.NDArray[np.float64], label: str):
    field = Field()
    for once in (region := _relax_region.over(range(1), u=u)):
        value = (u * u).sum() / 2
    if region.finished:
        (value,) = region.results
    del region
    field.energy = value
    del value
    for once_1 in (region_1 := _relax_region_1.over(range(1), u=u)):
        sqrt_value = np.sqrt(u * u + 1)
    if region_1.finished:
        (sqrt_value,) = region_1.results
    return label, field.energy, sqrt_value


def cases():
    rng = np.random.default_rng(2)
    for shape in ((5,), (3, 4), (0,)):
        yield "relax", (rng.standard_normal(shape), "a")
