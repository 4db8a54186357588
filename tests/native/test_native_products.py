"""Products of rows and parts of arrays in compiled loops: slices are cut as NumPy cuts them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nprewrite.runtime import Native

Make = Callable[[str], Native]
PRODUCT = """
def f(A, x, y, low, high):
    for i in range(len(y)):
        y[i] = {text} + 0.5 * y[i - 1]
"""


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a call stores, and what it raises."""
    kept = tuple(each.copy() if isinstance(each, np.ndarray) else each for each in arguments)
    try:
        function(*kept)
    except (IndexError, ValueError) as error:
        return type(error), kept[2]
    return None, kept[2]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "text",
    [
        "A[i, :i] @ x[:i]",
        "A[:i, 0] @ A[i, :i]",
        "np.dot(A[i], x)",
        "np.inner(x[low:high], x[low:high])",
        "A[i, low:] @ A[1, low:]",
        "np.vdot(x[low:high], x[: high - low])",
        "x @ x",
    ],
)
def test_products(text: str, dtype: str, make: Make) -> None:
    compiled = make(PRODUCT.format(text=text))
    rng = np.random.default_rng(1)
    A, x = rng.standard_normal((6, 6)).astype(dtype), rng.standard_normal(6).astype(dtype)
    for low, high in ((0, 4), (2, 2), (3, 1), (-3, 6), (1, 99), (-99, -1), (7, 9)):
        arguments = (A, x, np.zeros(6, dtype), low, high)
        expected, seen = outcome(compiled.function, arguments), outcome(compiled, arguments)
        assert seen[0] == expected[0]
        np.testing.assert_allclose(seen[1], expected[1], rtol=1e-5 if dtype == "float32" else 1e-13)
    assert compiled.runs["compiled"] >= 2


@pytest.mark.parametrize(("rows", "expected"), [(9, IndexError), (4, ValueError)])
def test_what_does_not_fit_raises_where_it_is_reached(
    rows: int, expected: type[Exception], make: Make
) -> None:
    """The seventh row is none of the matrix's; a row of four elements has no product with one of five."""
    compiled = make(PRODUCT.format(text="A[i, :5] @ x[:5]"))
    A, x = np.ones((6, 6 if expected is IndexError else 5)), np.ones(rows)
    arguments = (A, x, np.zeros(9), 0, 0)
    kinds = [outcome(each, arguments) for each in (compiled.function, compiled)]
    assert [each[0] for each in kinds] == [expected, expected]
    np.testing.assert_allclose(kinds[0][1], kinds[1][1])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("text", "arrays", "runs"),
    [
        ("A[i] @ x", (np.ones((3, 3), np.int64), np.ones(3, np.int64)), 1),
        ("A[i] @ x", (np.ones((3, 3), np.float32), np.ones(3)), 1),
        ("A[i, ::2] @ x", (np.ones((3, 3)), np.ones(2)), 1),
        ("(A[i:i + 1] @ x)[0]", (np.ones((3, 3)), np.ones(3)), 1),
    ],
    ids=["integers", "two dtypes", "steps", "matrix"],
)
def test_products_of_other_types(text: str, arrays: tuple[Any, ...], runs: int, make: Make) -> None:
    compiled = make(PRODUCT.format(text=text))
    arguments = (*arrays, np.zeros(3), 0, 0)
    seen = outcome(compiled, arguments)
    np.testing.assert_array_equal(seen[1], outcome(compiled.function, arguments)[1])
    assert compiled.runs["compiled"] == runs


def test_what_is_no_number_stays_where_it_is(make: Make) -> None:
    compiled = make(PRODUCT.format(text="A[i, :3] @ x[:3]"))
    A, x = np.ones((6, 6)), np.array([np.inf, -np.inf, 1.0, np.nan, 0.0, 0.0])
    A[1, 0], A[2, :2] = 0.0, (np.nan, 0.0)
    with np.errstate(all="ignore"):
        expected, seen = (outcome(each, (A, x, np.zeros(6), 0, 0)) for each in (compiled.function, compiled))
    np.testing.assert_array_equal(seen[1], expected[1])


DETERMINANTS = {
    "det": "y[i] = np.linalg.det(A[i])",
    "both": "s, y[i] = np.linalg.slogdet(A[i])\n        y[i] += 10 * s",
    "of a product": "y[i] = np.linalg.det(A[i] @ A[i].T + np.eye(A.shape[1]))",
    "one of both": "_, v = np.linalg.slogdet(A[i])\n        y[i] = v",
}


@pytest.mark.parametrize("size", [0, 1, 2, 3, 6])
@pytest.mark.parametrize("name", DETERMINANTS)
def test_determinants(name: str, size: int, make: Make) -> None:
    compiled = make(f"def f(A, y):\n    for i in range(len(y)):\n        {DETERMINANTS[name]}\n")
    rng = np.random.default_rng(size)
    for A in (rng.normal(size=(9, size, size)), rng.integers(3, 99, size=(9, size, size))):
        seen, expected = np.zeros(9), np.zeros(9)
        compiled(A, seen)
        compiled.function(A, expected)
        np.testing.assert_allclose(seen, expected, rtol=1e-11)
    assert compiled.runs["compiled"] >= 1 + (size != 2)


@pytest.mark.parametrize("A", [np.zeros((1, 2, 2)), np.array([[[1.0, 2, 3], [4, 5, 6], [7, 8, 9]]])])
def test_a_singular_matrix_is_as_written(A: Any, make: Make) -> None:
    """LAPACK decides whether its last pivot is 0, or what rounding has left of it."""
    compiled = make("def f(A, y):\n    for i in range(len(y)):\n        y[i] = np.linalg.det(A[i])\n")
    seen, expected = np.ones(1), np.ones(1)
    compiled(A, seen)
    compiled.function(A, expected)
    assert seen == expected
    assert compiled.runs == {"as written: a value that is not followed": 1}


def test_a_matrix_that_is_not_square_raises(make: Make) -> None:
    compiled = make("def f(A, y):\n    for i in range(len(y)):\n        y[i] = np.linalg.det(A[i])\n")
    for each in (compiled, compiled.function):
        with pytest.raises(np.linalg.LinAlgError):
            each(np.ones((1, 2, 3)), np.ones(1))
