"""A loop runs over the neighbours that a function lists: they get a name first, and their list no other."""

import numpy as np
import numpy.typing as npt

import nprewrite


def neighbours(i, j, n):
    found = []
    if i > 0:
        found.append((i - 1, j))
    if i < n - 1:
        found.append((i + 1, j))
    if j > 0:
        found.append((i, j - 1))
    if j < n - 1:
        found.append((i, j + 1))
    return found


@nprewrite.jit
def spread(grid: npt.NDArray[np.int64], new: npt.NDArray[np.int64]):
    burning = 0
    for i in range(len(grid)):
        for j in range(len(grid)):
            if grid[i, j] == 1:
                # Any of them will do.
                for p, q in neighbours(i, j, len(grid)):
                    if grid[p, q] == 2:
                        new[i, j] = 2
                        break
            elif grid[i, j] == 2:
                new[i, j] = 0
                burning += 1
    return burning


def cases():
    grid = np.array([[1, 1, 0, 1], [2, 1, 0, 1], [1, 0, 2, 1], [1, 1, 1, 1]])
    yield "spread", (grid, grid.copy())
    yield "spread", (grid, np.zeros((2, 4), dtype=np.int64)), IndexError
    yield "spread", (np.zeros((0, 0), dtype=np.int64), grid)
