"""Calls of ../kmeans.py to compare, with the reference kernel."""

import numpy as np

from nprewrite.reference import kernel


def cases():
    rng = np.random.default_rng(1)
    for clusters, points, dimensions in [(2, 2000, 2), (5, 300, 3), (1, 7, 2)]:
        means = rng.uniform(-5.0, 5.0, (clusters, dimensions))
        yield "kmeans", (rng.normal(size=(points, dimensions)) + means[rng.integers(clusters)], means)
        points_single = rng.normal(size=(points, dimensions)).astype("float32")
        yield "kmeans", (points_single, means.astype("float32"))
    # Points half-way between two means: the first is the nearest.
    yield "kmeans", (np.array([[0.0, 0.0], [0.0, 3.0]]), np.array([[-1.0, 0.0], [1.0, 0.0]]))


def reference(X, means):
    return kernel("kmeans_assign")(X, means.astype(X.dtype))


references = {"kmeans": reference}
