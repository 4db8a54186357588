"""Game of life that is stored into the grid it reads."""

import numpy as np

TWIN_OF = "life_scalar"
ENTRY = "life"
SIZES = {"small": (10, 3)}


def life(grid, generations):
    rows, cols = grid.shape
    for _ in range(generations):
        for i in range(1, rows - 1):
            for j in range(1, cols - 1):
                alive = 0
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        if di != 0 or dj != 0:
                            alive += grid[i + di, j + dj]
                if grid[i, j] == 1 and (alive < 2 or alive > 3):
                    grid[i, j] = 0
                elif alive == 3:
                    grid[i, j] = 1
    return grid


def setup(n, generations):
    return np.random.default_rng(34).integers(0, 2, (n, n)), generations
