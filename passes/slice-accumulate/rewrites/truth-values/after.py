"""A sum of truth values is an `or`."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"cells": "bool"},
    out={"grown": "bool"},
    once=True,
    compile=True,
)
def _grown_region(cells):
    """Lines of `grown`."""
    grown = cells.copy()
    grown_part = np.zeros_like(grown)
    grown_part[1:] = np.broadcast_to(cells[:-1], grown_part[1:].shape)
    grown += grown_part
    grown_part_1 = np.zeros_like(grown)
    grown_part_1[:-1] = np.broadcast_to(cells[1:], grown_part_1[:-1].shape)
    grown += grown_part_1
    return (grown,)


@nprewrite.jit
def grown(cells: npt.NDArray[np.bool_]):
    for once in (region := _grown_region.over(range(1), cells=cells)):
        grown = cells.copy()
        grown[1:] += cells[:-1]
        grown[:-1] += cells[1:]
    if region.finished:
        (grown,) = region.results
    return grown


def cases():
    yield "grown", (np.array([True, False, False, False, True, False]),)
    yield "grown", (np.zeros((3, 2), bool),)
