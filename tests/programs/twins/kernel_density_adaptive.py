"""A kernel density whose next point lies further away where it is low: each needs the one before."""

import numpy as np

TWIN_OF = "kernel_density"
ENTRY = "densities"
SIZES = {"small": (60, 9)}


def densities(samples, grid, width):
    density = np.zeros(len(grid))
    for i in range(len(grid) - 1):
        z = (grid[i] - samples) / width
        density[i] = np.mean(np.exp(-0.5 * z**2)) / (width * np.sqrt(2 * np.pi))
        grid[i + 1] = grid[i] + 0.1 / (density[i] + 0.1)
    return density, grid


def setup(n, m):
    return np.random.default_rng(86).standard_normal(n), np.full(m, -2.0), 0.1
