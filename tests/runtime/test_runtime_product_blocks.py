"""Products that sum over many rows: blocks of rows in the compiled code, and NumPy's values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled_code import compiled

pytest.importorskip("torch")

Array = np.ndarray


def _random(*shape: int, dtype: Any = np.float64) -> Array:
    return np.random.default_rng(7).normal(size=shape).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("rows", [16 * 1024, 17 * 1024, 16 * 1024 + 1, 20_000])
def test_a_tall_product_is_summed_by_blocks(rows: int, dtype: Any) -> None:
    a, b = _random(rows, 6, dtype=dtype), _random(rows, 3, dtype=dtype)
    found, code = compiled(lambda a, b: (a * 2).T @ b + 1, a, b)
    expected = (a * 2).T @ b + 1
    assert "bmm" in code
    assert found.dtype == expected.dtype
    scale = np.abs(a).T @ np.abs(b)
    assert (np.abs(found - expected) <= 64 * np.finfo(dtype).eps * scale).all()


def test_infinities_and_nan_are_where_numpy_has_them() -> None:
    a, b = _random(20_000, 4), _random(20_000, 3)
    a[3, 0], a[19_999, 1], b[19_999, 2] = np.inf, np.nan, -np.inf
    found, _ = compiled(lambda a, b: a.T @ b, a, b)
    assert np.allclose(found, a.T @ b, rtol=1e-12, atol=1e-10, equal_nan=True)


@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (lambda a, b: a.T @ b, [(4000, 6), (4000, 3)]),
        (lambda a, b: a.T @ b, [(20_000, 200), (20_000, 3)]),
        (lambda a, b: a @ b, [(6, 20_000), (20_000, 3)]),
        (lambda a, b: a.T @ b.T, [(20_000, 6), (3, 20_000)]),
        (lambda a, b: a.T @ b, [(20_000, 6), (20_000,)]),
    ],
)
def test_other_products_stay(function: Callable[..., Any], shapes: list[tuple[int, ...]]) -> None:
    a, b = (_random(*shape) for shape in shapes)
    found, code = compiled(function, a, b)
    assert np.allclose(found, function(a, b), rtol=1e-12, atol=1e-10)
    assert "bmm" not in code


def test_integers_stay() -> None:
    a = np.arange(40_000).reshape(20_000, 2)
    found, code = compiled(lambda a: a.T @ a, a)
    assert np.array_equal(found, a.T @ a)
    assert "bmm" not in code
