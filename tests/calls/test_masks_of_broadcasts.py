"""Stores through masks of arrays that broadcasting makes, as shortest paths have them."""

from __future__ import annotations

import numpy as np
import pytest

import nprewrite

pytestmark = pytest.mark.usefixtures("rewritten_side", "small_stands_for_large")


def shortest_paths(lengths: np.ndarray) -> np.ndarray:
    paths = lengths.copy()
    for k in range(len(paths)):
        through = paths[:, k, None] + paths[k]
        better = through < paths
        paths[better] = through[better]
    return paths


def cut(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    far = np.abs(a[:, None] - b) > 0.5
    c[far] = np.exp(-c[far])
    return c * 2.0


def test_the_axes_of_what_is_broadcast_are_its_own(recwarn: pytest.WarningsRecorder) -> None:
    rewritten = nprewrite.jit(wait=True)(shortest_paths)
    rng = np.random.default_rng(0)
    for size in (40, 40, 41):
        lengths = rng.random((size, size))
        np.testing.assert_array_equal(rewritten(lengths), shortest_paths(lengths))
    assert not [each for each in recwarn if "runs as written" in str(each.message)]
    assert "x compiled" in str(rewritten.report())


def test_an_array_of_another_shape_than_the_mask_raises_as_before() -> None:
    rewritten = nprewrite.jit(wait=True)(cut)
    rng = np.random.default_rng(0)
    a, b, c = rng.random(30), rng.random(40), rng.random((30, 40))
    for _ in range(3):
        np.testing.assert_allclose(rewritten(a, b, c.copy()), cut(a, b, c.copy()), rtol=1e-14)
    for shape in ((30, 41), (1, 40), (30, 1)):
        with pytest.raises(IndexError, match="boolean index did not match"):
            rewritten(a, b, rng.random(shape))
    np.testing.assert_array_equal(rewritten(a, b[:1], np.ones((30, 1))), cut(a, b[:1], np.ones((30, 1))))
