"""Powers with a constant exponent: products and roots in the compiled code, with NumPy's values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled_code import compiled

pytest.importorskip("torch")

EDGES = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-200, -1e-200, 1e-320, 1e160, -1e160, 3.0, -0.7]
EXPONENTS = [2, 3, 4, -1, -2, -3, 1.5, -1.5, 2.0, -1.0]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_power_is_what_numpy_gives(dtype: type[np.floating[Any]]) -> None:
    random = np.random.default_rng(3).normal(size=2000) * 10.0 ** np.random.default_rng(4).integers(
        -9, 9, 2000
    )
    with np.errstate(all="ignore"):
        x = np.concatenate([EDGES, random]).astype(dtype)
        results, code = compiled(lambda x: np.stack([x**exponent for exponent in EXPONENTS]), x)
    assert "pow(" not in code
    for exponent, found in zip(EXPONENTS, results, strict=True):
        _assert_is_power(found, x, exponent)


def _assert_is_power(found: Any, x: Any, exponent: float) -> None:
    with np.errstate(all="ignore"):
        expected = x**exponent
    assert found.dtype == expected.dtype
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    whole = np.isfinite(expected)
    assert np.array_equal(found[~whole & ~np.isnan(expected)], expected[~whole & ~np.isnan(expected)])
    assert np.array_equal(np.signbit(found[whole]), np.signbit(expected[whole]))
    ulps = np.abs(found - expected)[whole] / np.spacing(np.abs(expected[whole]))
    assert ulps.max() <= (0 if exponent in (2, -1) else 3), exponent


def test_integers_wrap_as_in_numpy() -> None:
    x = np.array([3, -4, 2**40, -(2**63), 0])
    found, code = compiled(lambda k: k**2, x)
    assert np.array_equal(found, x**2)
    assert "pow(" not in code


@pytest.mark.parametrize("function", [lambda x, y: x**y, lambda x, y: x**2.5 + y, lambda x, y: 2**x + y])
def test_other_powers_stay(function: Callable[..., Any]) -> None:
    x, y = np.linspace(0.1, 3, 64), np.linspace(-2, 2, 64)
    found, code = compiled(function, x, y)
    assert np.allclose(found, function(x, y), rtol=1e-14)
    assert "pow(" in code or "exp2" in code
