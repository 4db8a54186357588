"""The neighbours of each cell of a board, added up by a generator over the shifts."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def generations(cells: npt.NDArray[np.uint8], trips: int):
    for _ in range(trips):
        alive = sum(
            np.roll(np.roll(cells, i, 0), j, 1)
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            if (i, j) != (0, 0)
        )
        cells = ((alive == 3) | ((cells == 1) & (alive == 2))).astype(np.uint8)
    return cells


def cases():
    board = (np.sin(np.arange(48.0)).reshape(6, 8) > 0.2).astype(np.uint8)
    for trips in (0, 1, 5):
        yield "generations", (board, trips)
    yield "generations", (board[:0], 2)
    yield "generations", (np.full((3, 3), 200, np.uint8), 2)
    yield "generations", (board[0], 2), ValueError
