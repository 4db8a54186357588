"""Distances to a few means, and the nearest of them: broadcast, reduced over an axis, and returned."""

import numpy as np
import numpy.typing as npt

import nprewrite
import nprewrite.runtime as npr


@npr.step(
    inputs={"X": "float64", "means": "float64"},
    out={"result": "int64"},
    once=True,
    grows=True,
    compile=True,
)
def _labels_region(X, means):
    """Lines of `labels`."""
    d = np.sqrt(((X - means[:, None]) ** 2).sum(axis=2))
    result = np.argmin(d, axis=0)
    return (result,)


@nprewrite.jit
def labels(X: npt.NDArray[np.float64], means: npt.NDArray[np.float64]):
    # One row a mean, one column a point.
    for once in (region := _labels_region.over(range(1), X=X, means=means)):
        d = np.sqrt(((X - means[:, None]) ** 2).sum(axis=2))
        return np.argmin(d, axis=0)
    (result,) = region.results
    return result


def cases():
    points = np.linspace(0, 1, 20).reshape(10, 2)
    yield "labels", (points, points[::4])
    yield "labels", (points[:0], points[:2])
    yield "labels", (points, points[:0]), ValueError
    yield "labels", (points, np.full((3, 2), np.nan))
    yield "labels", (points, np.ones((2, 3))), ValueError
    yield "labels", (points.astype(np.float32), points[:2])
    yield "labels", (points[:, 0], points[0]), ValueError
