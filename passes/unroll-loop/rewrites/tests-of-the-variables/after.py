"""The neighbours of each cell, in two loops that leave out the cell itself."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    carried={"cells": "int64"},
    compile=True,
)
def _generations_step(cells):
    """One iteration of the loop over `_` in `generations`."""
    alive = np.zeros_like(cells)
    alive += np.roll(np.roll(cells, -1, axis=0), -1, axis=1)
    alive += np.roll(np.roll(cells, -1, axis=0), 0, axis=1)
    alive += np.roll(np.roll(cells, -1, axis=0), 1, axis=1)
    alive += np.roll(np.roll(cells, 0, axis=0), -1, axis=1)
    alive += np.roll(np.roll(cells, 0, axis=0), 1, axis=1)
    alive += np.roll(np.roll(cells, 1, axis=0), -1, axis=1)
    alive += np.roll(np.roll(cells, 1, axis=0), 0, axis=1)
    alive += np.roll(np.roll(cells, 1, axis=0), 1, axis=1)
    cells = ((alive == 3) | ((cells == 1) & (alive == 2))).astype(int)
    return (cells,)


@nprewrite.jit
def generations(cells: npt.NDArray[np.int64], trips: int):
    for _ in (loop := _generations_step.over(range(trips), cells=cells)):
        alive = np.zeros_like(cells)
        alive += np.roll(np.roll(cells, -1, axis=0), -1, axis=1)
        alive += np.roll(np.roll(cells, -1, axis=0), 0, axis=1)
        alive += np.roll(np.roll(cells, -1, axis=0), 1, axis=1)
        alive += np.roll(np.roll(cells, 0, axis=0), -1, axis=1)
        alive += np.roll(np.roll(cells, 0, axis=0), 1, axis=1)
        alive += np.roll(np.roll(cells, 1, axis=0), -1, axis=1)
        alive += np.roll(np.roll(cells, 1, axis=0), 0, axis=1)
        alive += np.roll(np.roll(cells, 1, axis=0), 1, axis=1)
        cells = ((alive == 3) | ((cells == 1) & (alive == 2))).astype(int)
    if loop.finished:
        (cells,) = loop.results
    return cells


def cases():
    board = (np.sin(np.arange(48.0)).reshape(6, 8) > 0.2).astype(int)
    for trips in (0, 1, 5):
        yield "generations", (board, trips)
    yield "generations", (board[:0], 2)
    yield "generations", (board[0], 2), np.exceptions.AxisError
