"""Densities at the points of a grid, each from all samples; one of the widths is zero."""

import numpy as np
import nprewrite.runtime as npr


@npr.reduction
def _densities_reduction(number, grid_i, h_1, x):
    """The reductions of the loop over `i` in `densities`."""
    return np.mean(np.exp(number * ((x - grid_i) / h_1) ** 2))


def densities(n: int, m: int, h: float):
    x = np.sin(np.arange(n, dtype=np.float64) ** 2)
    grid = np.linspace(-1.5, 1.5, m)
    density = np.zeros(m)
    for i, mean_i in _densities_reduction.over(
        range(m),
        lambda i: (-0.5, grid[i], h),
        (x,),
        (density,),
        (grid, h),
    ):
        density[i] = mean_i / (h + 1.0)
    return density


def cases():
    for n, m, h in ((40, 6, 0.3), (1, 1, 0.3), (40, 0, 0.3), (2000, 300, 0.1), (2001, 300, 0.0)):
        yield "densities", (n, m, h)
