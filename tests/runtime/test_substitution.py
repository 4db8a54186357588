"""Triangular systems by blocks against the loops over rows that they stand for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import nprewrite.runtime as npr

Matrix = npt.NDArray[np.float64]
SIZES = [0, 1, 5, 12, 13, 63, 64, 65, 128, 200]


def forward(L: Matrix, b: Matrix, x: Matrix, unit: bool, done: int) -> None:
    """Row after row."""
    for i in range(done, len(x)):
        x[i] = b[i] - L[i, :i] @ x[:i]
        if not unit:
            x[i] /= L[i, i]


def backward(U: Matrix, b: Matrix, x: Matrix, unit: bool, done: int) -> None:
    """From the last row on."""
    for i in range(len(x) - 1 - done, -1, -1):
        x[i] = b[i] - U[i, i + 1 :] @ x[i + 1 :]
        if not unit:
            x[i] /= U[i, i]


def system(n: int, columns: int | None, dtype: type[np.floating]) -> tuple[Matrix, Matrix, Matrix]:
    """A matrix whose triangles are well conditioned, a right side and what is known of the unknowns."""
    rng = np.random.default_rng(n)
    matrix = (rng.random((n, n)) - 0.5) / max(n, 1) + np.diag(rng.random(n) + 0.5)
    shape = (n,) if columns is None else (n, columns)
    return matrix.astype(dtype), rng.random(shape).astype(dtype), rng.random(shape).astype(dtype)


PAIRS = [(npr.forward_substitution, forward), (npr.backward_substitution, backward)]


@pytest.mark.parametrize(("blocks", "rows"), PAIRS, ids=["forward", "backward"])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("columns", [None, 0, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_as_row_by_row(blocks, rows, n, columns, dtype) -> None:  # type: ignore[no-untyped-def]
    for unit in (False, True):
        for done in (0, 1, 70):
            matrix, right, unknowns = system(n, columns, dtype)
            expected = unknowns.copy()
            rows(matrix, right, expected, unit, done)
            blocks(matrix, right, unknowns, unit=unit, done=done)
            eps = np.finfo(dtype).eps
            np.testing.assert_allclose(unknowns, expected, rtol=100 * eps, atol=10 * eps)


@pytest.mark.parametrize(("blocks", "rows"), PAIRS, ids=["forward", "backward"])
def test_right_side_and_unknowns_in_one_array(blocks, rows) -> None:  # type: ignore[no-untyped-def]
    matrix, right, _ = system(150, 2, np.float64)
    expected = right.copy()
    rows(matrix, expected, expected, False, 0)
    blocks(matrix, right, right)
    np.testing.assert_allclose(right, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("blocks", "rows"), PAIRS, ids=["forward", "backward"])
@pytest.mark.parametrize("value", [0.0, -0.0, np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("place", [(70, 70), (75, 70), (70, 75), (3, 100), (100, 3)])
@pytest.mark.parametrize("zeros", [False, True])
def test_what_is_not_finite(blocks, rows, value, place, zeros) -> None:  # type: ignore[no-untyped-def]
    """Infinities and nan where the loop has them, and nothing of the other triangle."""
    matrix, right, unknowns = system(130, None, np.float64)
    matrix[place] = value
    right[60:90] *= not zeros
    expected = unknowns.copy()
    rows(matrix, right, expected, False, 0)
    blocks(matrix, right, unknowns)
    np.testing.assert_allclose(unknowns, expected, rtol=1e-13, atol=1e-15)


def test_small_divisors_are_not_exchanged() -> None:
    """With an exchange of rows the first unknown would lose all its digits."""
    matrix = np.tril(np.ones((64, 64))) + np.diag(np.full(64, 1e-14 - 1.0))
    right = np.full(64, 1e-14)
    expected, unknowns = np.zeros(64), np.zeros(64)
    forward(matrix[:3, :3], right[:3], expected[:3], False, 0)
    npr.forward_substitution(matrix, right, unknowns)
    np.testing.assert_allclose(unknowns[:3], expected[:3], rtol=1e-12)


def test_views_of_any_strides() -> None:
    matrix, right, unknowns = system(200, 4, np.float64)
    expected = np.zeros((100, 2))
    forward(matrix[::2, 1::2], right[::-2, ::2], expected, True, 0)
    npr.forward_substitution(matrix[::2, 1::2], right[::-2, ::2], unknowns[100:, 1:3], unit=True)
    np.testing.assert_allclose(unknowns[100:, 1:3], expected, rtol=1e-12, atol=1e-15)
