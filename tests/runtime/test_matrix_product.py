"""Products in another order are those as written but for the rounding; else they are as written."""

from __future__ import annotations

import functools
import itertools
import operator
from typing import Any

import numpy as np
import pytest

from nprewrite.runtime import matrix_product
from nprewrite.runtime.api import products

RNG = np.random.default_rng(0)
A, X = RNG.random((300, 200)), RNG.random(200)


@pytest.fixture
def as_written(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows of the first factor in each product that is computed as written."""
    rows: list[int] = []
    plain = products._as_written

    def counted(factors: Any, number: Any) -> Any:
        rows.append(len(factors[0]))
        return plain(factors, number)

    monkeypatch.setattr(products, "_as_written", counted)
    return rows


def test_chains_of_any_shapes() -> None:
    for _ in range(200):
        lengths = RNG.integers(1, 60, RNG.integers(3, 8))
        shapes = [(m, n) for m, n in itertools.pairwise(lengths)]
        factors = [RNG.standard_normal(shape) for shape in (*shapes, lengths[-1])]
        expected = functools.reduce(operator.matmul, factors)
        size = functools.reduce(operator.matmul, [np.abs(each) for each in factors])
        assert np.all(np.abs(matrix_product(*factors) - expected) <= 1e-13 * size)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128, np.int64])
@pytest.mark.parametrize("matrix", [A, A[::-2, ::-1], np.asfortranarray(A)], ids="rst")
def test_a_number_scales_the_vector(dtype: Any, matrix: Any, as_written: list[int]) -> None:
    M, x = (100 * matrix).astype(dtype), (100 * X).astype(dtype)
    found = matrix_product(M, x, scale=3)
    assert not as_written
    assert found.dtype == dtype
    np.testing.assert_allclose(found, 3 * M @ x, rtol=1e-5 if np.dtype(dtype).char in "fF" else 1e-13)


@pytest.mark.parametrize(
    ("matrix", "vector", "scale"),
    [
        (np.where(A < 0.001, np.nan, A), X, 2.0),
        (np.where(A < 0.001, np.inf, A), X, 0.0),
        (A * 1e300, X * 1e-300, 1e100),
        (A * 1e-200, X * 1e-200, 1e200),
        (A * 1e-200, X * 1e200, 1e-200),
        (A, X, np.inf),
        (A, X, 10**400),
        (A, X, True),
        (A, X, X),
        (A, X, A[:, :1]),
        (A.astype(np.float32), X, 2.0),
        (A.astype(np.float32), X.astype(np.float32), np.float64(2.0)),
        (A > 0.5, X > 0.5, 2.0),
        (np.stack([A, A]), X, 2.0),
        (A, X[1:], 2.0),
        (A.view(np.matrix), X[:, None], 2.0),
        (A.tolist(), X, 2.0),
        (A.astype(">f8"), X, 2.0),
    ],
)
def test_what_may_differ_is_as_written(matrix: Any, vector: Any, scale: Any, as_written: list[int]) -> None:
    with np.errstate(all="ignore"):
        expected = _value(lambda: scale * matrix @ vector)
        found = _value(lambda: matrix_product(matrix, vector, scale=scale))
    assert as_written == [len(matrix)]
    assert type(found) is type(expected)
    if not isinstance(expected, Exception):
        np.testing.assert_array_equal(found, expected)


def test_rows_that_may_have_underflowed_are_as_written(as_written: list[int]) -> None:
    M = A.copy()
    M[3], M[5] = 0.0, 1e-305
    np.testing.assert_allclose(matrix_product(M, X, scale=2.0), 2.0 * M @ X, rtol=1e-13)
    assert as_written == [2]


def test_watched_errors_are_raised() -> None:
    with np.errstate(under="raise"), pytest.raises(FloatingPointError):
        matrix_product(A * 1e-300, X * 1e300, scale=1e-100)


def _value(compute: Any) -> Any:
    try:
        return compute()
    except (TypeError, ValueError, OverflowError) as error:
        return error
