"""The scalar nests of tests/programs as somebody would write them by hand in array code.

Each function takes and gives what the nest of its name does, with the same mutation of its arguments.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
"""An array of NumPy's."""


def matmul_scalar(A: Array, B: Array) -> Array:
    """The product of two matrices."""
    return A @ B


def covariance_scalar(data: Array) -> Array:
    """The covariance of the columns."""
    centred = data - data.mean(axis=0)
    return centred.T @ centred / (len(data) - 1)


def triangular_update(alpha: float, beta: float, C: Array, A: Array) -> None:
    """BLAS's syrk: the lower triangle of ``C`` becomes ``beta C + alpha A A^T``."""
    C[...] = np.where(np.tri(len(C), dtype=bool), beta * C + alpha * (A @ A.T), C)


def histogram_scalar(x: Array, bins: int, lo: float, hi: float) -> Array:
    """How many elements lie in each of ``bins`` bins of one width from ``lo`` up to ``hi``."""
    width = (hi - lo) / bins
    position = ((x[(x >= lo) & (x < hi)] - lo) / width).astype(np.int64)
    return np.bincount(np.minimum(position, bins - 1), minlength=bins)


def pairwise_scalar(X: Array) -> Array:
    """The distances between all pairs of rows."""
    return np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))


def life_scalar(grid: Array, generations: int) -> Array:
    """Conway's game of life with dead borders."""
    for _ in range(generations):
        alive = (
            (grid[:-2, :-2] + grid[:-2, 1:-1] + grid[:-2, 2:])
            + (grid[1:-1, :-2] + grid[1:-1, 2:])
            + (grid[2:, :-2] + grid[2:, 1:-1] + grid[2:, 2:])
        )
        new = np.zeros_like(grid)
        new[1:-1, 1:-1] = (alive == 3) | ((grid[1:-1, 1:-1] == 1) & (alive == 2))
        grid = new
    return grid


def convolution_scalar(image: Array, kernel: Array) -> Array:
    """The correlation of an image with a kernel, where the kernel lies within it."""
    windows = np.lib.stride_tricks.sliding_window_view(image, kernel.shape)
    return np.einsum("ijab,ab->ij", windows, kernel)


def floyd_warshall_scalar(dist: Array) -> Array:
    """The lengths of the shortest paths between all pairs, for a diagonal that is not negative."""
    for k in range(len(dist)):
        dist[...] = np.minimum(dist, dist[:, k, None] + dist[k])
    return dist
