"""The neighbours of each cell of a board, added up by a generator over the shifts."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    counter="_",
    carried={"cells": "uint8"},
    compile=True,
)
def _generations_step(cells):
    """One iteration of the loop over `_` in `generations`."""
    alive = 0 + np.roll(np.roll(cells, -1, 0), -1, 1) + np.roll(np.roll(cells, -1, 0), 0, 1) + np.roll(np.roll(cells, -1, 0), 1, 1) + np.roll(np.roll(cells, 0, 0), -1, 1) + np.roll(np.roll(cells, 0, 0), 1, 1) + np.roll(np.roll(cells, 1, 0), -1, 1) + np.roll(np.roll(cells, 1, 0), 0, 1) + np.roll(np.roll(cells, 1, 0), 1, 1)
    cells = ((alive == 3) | ((cells == 1) & (alive == 2))).astype(np.uint8)
    return (cells,)


@nprewrite.jit
def generations(cells: npt.NDArray[np.uint8], trips: int):
    for _ in (loop := _generations_step.over(range(trips), cells=cells)):
        alive = 0 + np.roll(np.roll(cells, -1, 0), -1, 1) + np.roll(np.roll(cells, -1, 0), 0, 1) + np.roll(np.roll(cells, -1, 0), 1, 1) + np.roll(np.roll(cells, 0, 0), -1, 1) + np.roll(np.roll(cells, 0, 0), 1, 1) + np.roll(np.roll(cells, 1, 0), -1, 1) + np.roll(np.roll(cells, 1, 0), 0, 1) + np.roll(np.roll(cells, 1, 0), 1, 1)
        cells = ((alive == 3) | ((cells == 1) & (alive == 2))).astype(np.uint8)
    if loop.finished:
        (cells,) = loop.results
    return cells


def cases():
    board = (np.sin(np.arange(48.0)).reshape(6, 8) > 0.2).astype(np.uint8)
    for trips in (0, 1, 5):
        yield "generations", (board, trips)
    yield "generations", (board[:0], 2)
    yield "generations", (np.full((3, 3), 200, np.uint8), 2)
    yield "generations", (board[0], 2), ValueError
