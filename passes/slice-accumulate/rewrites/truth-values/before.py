"""A sum of truth values is an `or`."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def grown(cells: npt.NDArray[np.bool_]):
    grown = cells.copy()
    grown[1:] += cells[:-1]
    grown[:-1] += cells[1:]
    return grown


def cases():
    yield "grown", (np.array([True, False, False, False, True, False]),)
    yield "grown", (np.zeros((3, 2), bool),)
