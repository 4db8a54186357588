"""k-means: the assignment is the NumPy program's, the means are right to the last place."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

Array = NDArray[Any]


def as_written(points: Array, means: Array) -> Array:
    labels: Array = np.argmin(np.linalg.norm(points - means[:, None], axis=2), axis=0)
    return labels


# NumPy adds fewer than eight squares in their order, as the kernel does: the distances are the same bits.
@pytest.mark.parametrize(
    ("points", "clusters", "dimensions"), [(1, 1, 1), (5000, 2, 2), (999, 7, 3), (100, 5, 7)]
)
def test_assignment(kernels: ModuleType, random: Any, points: int, clusters: int, dimensions: int) -> None:
    X, means = random(points, dimensions), random(clusters, dimensions)
    labels = kernels.kmeans_assign(X, means)
    assert labels.dtype == np.int64
    np.testing.assert_array_equal(labels, as_written(X, means))


def test_more_dimensions(kernels: ModuleType, random: Any, real: np.dtype[Any]) -> None:
    """More squares NumPy adds in another order: the mean chosen is nearest up to the rounding of the sum."""
    X, means = random(500, 40), random(9, 40)
    labels = kernels.kmeans_assign(X, means)
    distances = np.linalg.norm(X.astype("f8") - means[:, None], axis=2)
    chosen = distances[labels, np.arange(500)]
    assert np.all(chosen <= distances.min(axis=0) * (1 + 42 * np.finfo(real).eps))


def test_ties_and_nan(kernels: ModuleType, real: np.dtype[Any]) -> None:
    """Grid points between grid means are ties by the score; nan is nearest, as in argmin; inf is far."""
    grid = np.stack(np.meshgrid(np.arange(9), np.arange(9)), axis=-1).reshape(-1, 2).astype(real)
    np.testing.assert_array_equal(kernels.kmeans_assign(grid, grid[::4].copy()), as_written(grid, grid[::4]))
    means = np.array([[0, 0], [np.inf, 0], [1, np.nan], [np.nan, 1]], real)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(kernels.kmeans_assign(grid, means), as_written(grid, means))
    np.testing.assert_array_equal(kernels.kmeans_assign(grid, means[:2].copy()), as_written(grid, means[:2]))


def test_no_points_and_no_dimensions(kernels: ModuleType, real: np.dtype[Any]) -> None:
    assert kernels.kmeans_assign(np.ones((0, 2), real), np.ones((3, 2), real)).shape == (0,)
    assert kernels.kmeans_assign(np.ones((4, 0), real), np.ones((3, 0), real)).tolist() == [0, 0, 0, 0]


def test_update(kernels: ModuleType, random: Any, real: np.dtype[Any]) -> None:
    """A compensated sum is right to the last place but one, and the division rounds once more."""
    X, labels = random(20_000, 3), np.random.default_rng(1).integers(0, 5, 20_000)
    means, counts = kernels.kmeans_update(X, labels, 6)
    assert (means.dtype, means.shape, counts.dtype) == (real, (6, 3), np.int64)
    np.testing.assert_array_equal(counts, np.bincount(labels, minlength=6))
    for cluster in range(5):
        members = X[labels == cluster]
        exact = [math.fsum(column) / len(members) for column in members.T.tolist()]
        np.testing.assert_allclose(means[cluster], exact, rtol=3 * np.finfo(real).eps)
    assert np.all(np.isnan(means[5]))


def test_update_of_the_sum_that_plain_addition_loses(kernels: ModuleType, real: np.dtype[Any]) -> None:
    large = 4 / np.finfo(real).eps
    X = np.array([[large], [1], [1], [1], [-large]], real)
    assert kernels.kmeans_update(X, np.zeros(5, np.int64), 1)[0].item() == real.type(3) / real.type(5)
