"""The value of an attribute, and array code among values that are none."""

import numpy as np
import numpy.typing as npt

import nprewrite


class Field:
    def __init__(self):
        self.energy = 0.0


@nprewrite.jit
def relax(u: npt.NDArray[np.float64], label: str):
    field = Field()
    field.energy = (u * u).sum() / 2
    return label, field.energy, np.sqrt(u * u + 1)


def cases():
    rng = np.random.default_rng(2)
    for shape in ((5,), (3, 4), (0,)):
        yield "relax", (rng.standard_normal(shape), "a")
