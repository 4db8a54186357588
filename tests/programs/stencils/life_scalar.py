"""Game of life with a loop over every cell and its neighbours."""

import numpy as np

ENTRY = "life"
SIZES = {"bench": (110, 6), "small": (10, 3)}


def life(grid, generations):
    rows, cols = grid.shape
    for _ in range(generations):
        new = np.zeros_like(grid)
        for i in range(1, rows - 1):
            for j in range(1, cols - 1):
                alive = 0
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        if di != 0 or dj != 0:
                            alive += grid[i + di, j + dj]
                if grid[i, j] == 1:
                    if alive == 2 or alive == 3:
                        new[i, j] = 1
                elif alive == 3:
                    new[i, j] = 1
        grid = new
    return grid


def setup(n, generations):
    return np.random.default_rng(34).integers(0, 2, (n, n)), generations
