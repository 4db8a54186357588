"""The functions that stand for NumPy's in compiled steps give NumPy's bits, in any layout of the memory."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite.runtime as npr

Array = np.ndarray[Any, Any]
FLOATS = ["float32", "float64"]
INTEGERS = ["int8", "int16", "int32", "int64"]
OF_TWO_FLOATS = [(npr.remainder, np.remainder), (npr.floor_divide, np.floor_divide)]
OF_TWO_INTEGERS = [(npr.int_remainder, np.remainder), (npr.int_floor_divide, np.floor_divide)]
Pair = tuple[Callable[..., Any], Callable[..., Any]]


def corners(dtype: str) -> Array:
    """Zeros, subnormal, common, huge, infinite values and nan, or the ends of the integers; both signs."""
    if dtype in INTEGERS:
        ends = np.iinfo(dtype)
        return np.array([0, 1, -1, 2, -2, 3, -7, ends.max, ends.min, ends.min + 1], dtype)
    info: Any = np.finfo(dtype)
    values = [0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, 1e3, np.inf, np.nan]
    values += [info.smallest_subnormal, info.tiny, info.eps]
    return np.array([*values, *(-each for each in values)], dtype)


def layouts(values: Array) -> list[Array]:
    """The same values one after the other, every other element, and backwards."""
    return [values, np.repeat(values, 2)[::2], values[::-1].copy()[::-1]]


def assert_same_bits(got: Any, want: Any) -> None:
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)
    if want.dtype.kind == "f":
        known = ~np.isnan(want)
        np.testing.assert_array_equal(np.signbit(got)[known], np.signbit(want)[known])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_sign(dtype: str) -> None:
    for x in layouts(corners(dtype)):
        assert_same_bits(npr.sign(x), np.sign(x))


@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_linspace(endpoint: bool) -> None:
    for start, stop in itertools.product(corners("float64"), repeat=2):
        for num in (0, 1, 2, 3, 50):
            ends = np.array([start]), np.array([stop])
            assert_same_bits(npr.linspace(*ends, num, endpoint), np.linspace(start, stop, num, endpoint))


@pytest.mark.parametrize(
    ("pair", "dtype"),
    [(pair, dtype) for pair in OF_TWO_FLOATS for dtype in FLOATS]
    + [(pair, dtype) for pair in OF_TWO_INTEGERS for dtype in INTEGERS],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_quotients_and_remainders(pair: Pair, dtype: str) -> None:
    ours, numpys = pair
    x, y = (each.ravel() for each in np.meshgrid(corners(dtype), corners(dtype)))
    for left, right in zip(layouts(x), layouts(y), strict=True):
        assert_same_bits(ours(left, right), numpys(left, right))
    for number in (-2, 3) if dtype in INTEGERS else (-1.5, 0.25, 0.0, 2):
        assert_same_bits(ours(x, number), numpys(x, number))
        assert_same_bits(ours(number, y), numpys(number, y))


@pytest.mark.parametrize("pair", OF_TWO_FLOATS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_quotients_and_remainders_of_many_values(pair: Pair, dtype: str) -> None:
    ours, numpys = pair
    rng = np.random.default_rng(0)
    # Halves and quarters, because a remainder of 0 is rare otherwise.
    x, y = ((rng.integers(-40, 40, 10_000) / 4).astype(dtype) for _ in range(2))
    y[y == 0] = 0.1
    assert_same_bits(ours(x, y), numpys(x, y))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(2,), (3,), (40,), (2, 5), (5, 2), (3, 4, 5)])
def test_gradient(dtype: str, shape: tuple[int, ...]) -> None:
    f = np.random.default_rng(0).normal(size=shape).astype(dtype)
    steps = [0.1, 3, np.dtype(dtype).type(0.3)]
    for spacings in [(), *((each,) for each in steps), (0.5,) * len(shape)]:
        for got, want in zip(npr.gradient(f, *spacings), np.gradient(f, *spacings), strict=True):
            assert_same_bits(got, want)
    for axis in (0, -1, (0,), tuple(range(len(shape)))):
        for got, want in zip(npr.gradient(f, 0.1, axis=axis), np.gradient(f, 0.1, axis=axis), strict=True):
            assert_same_bits(got, want)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float32", "complex128"])
@pytest.mark.parametrize("width", [1, 0, (1, 2), ((1, 2), (0, 3)), ((2,), (1,)), ((1, 2),), (3,)])
@pytest.mark.parametrize("mode", ["constant", "edge"])
def test_pad(dtype: str, width: Any, mode: Any) -> None:
    x = (np.random.default_rng(0).random((3, 4)) * 9).astype(dtype)
    assert_same_bits(npr.pad(x, width, mode=mode), np.pad(x, width, mode=mode))


@pytest.mark.parametrize("width", [-1, ((1, -1), (0, 0)), ((1, 1), (1, 1), (1, 1))])
def test_widths_that_fit_no_array(width: Any) -> None:
    with pytest.raises(ValueError, match="widths"):
        npr.pad(np.ones((2, 2)), width)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", ["sinh", "cosh"])
def test_hyperbolic_functions(dtype: str, name: str) -> None:
    """Within a few units in the last place, also near zero and where the result is the largest number."""
    last = np.arccosh(np.finfo(dtype).max / 2)
    x = np.concatenate([np.linspace(-each, each, 20_001) for each in (0.6, 30, last)]).astype(dtype)
    exact = getattr(np, name)(x.astype(np.longdouble))
    got = getattr(npr, name)(x)
    assert got.dtype == np.dtype(dtype)
    assert np.isfinite(got).all()
    np.testing.assert_allclose(got, exact.astype(dtype), rtol=8 * np.finfo(dtype).eps, atol=0)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], dtype)
    assert_same_bits(getattr(npr, name)(special), getattr(np, name)(special))
