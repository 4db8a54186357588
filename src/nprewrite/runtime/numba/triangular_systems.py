"""Triangular systems by blocks of rows: forward and backward substitution.

The products of a block's rows with the unknowns of other blocks are one product of matrices (G. H. Golub,
C. F. Van Loan, *Matrix Computations*, 2013, 3.1.4). The block itself, turned so that it is an upper triangle,
is eliminated at once: its rows are never exchanged, and each unknown is divided by the element that the loop
divides by. Where that has no finite solution, the loop over the rows computes the unknowns.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Matrix: TypeAlias = "np.ndarray[Any, Any]"

_ROWS = 64
_FEW_ROWS = 12
"""Rows that a loop has finished before an elimination would have begun."""
_UPPER = np.triu(np.ones((_ROWS, _ROWS), dtype=bool))
_STRICTLY_UPPER = np.triu(_UPPER, 1)


def forward_substitution(
    matrix: Matrix, right: Matrix, unknowns: Matrix, *, unit: bool = False, done: int = 0
) -> None:
    """``unknowns[i] = (right[i] - matrix[i, :i] @ unknowns[:i]) / matrix[i, i]`` for each row in order.

    The first ``done`` rows are not computed. ``matrix`` is of shape (n, n), of which the upper triangle is
    not used; ``right`` and ``unknowns`` are of shape (n,) or (n, m), of one floating-point dtype with the
    matrix, and may be one array. With ``unit`` nothing is divided. Divisors that are 0 give infinities and
    nan, as in the loop, and nothing is raised.
    """
    for start in range(done, len(unknowns), _ROWS):
        rows = slice(start, start + _ROWS)
        rest = right[rows] - matrix[rows, :start] @ unknowns[:start]
        # Turned by half a circle, a lower triangle is an upper one, and the first unknown the last.
        _solve(matrix[rows, rows][::-1, ::-1], rest[::-1], unit)
        unknowns[rows] = rest


def backward_substitution(
    matrix: Matrix, right: Matrix, unknowns: Matrix, *, unit: bool = False, done: int = 0
) -> None:
    """``unknowns[i] = (right[i] - matrix[i, i + 1:] @ unknowns[i + 1:]) / matrix[i, i]`` from the last row.

    As ``forward_substitution``, for the upper triangle; ``done`` rows at the end are not computed.
    """
    for stop in range(len(unknowns) - done, 0, -_ROWS):
        rows = slice(max(stop - _ROWS, 0), stop)
        rest = right[rows] - matrix[rows, stop:] @ unknowns[stop:]
        _solve(matrix[rows, rows], rest, unit)
        unknowns[rows] = rest


def _solve(upper: Matrix, rest: Matrix, unit: bool) -> None:
    """Turn what is left of the right side into the unknowns of one block, in place."""
    n = len(rest)
    if n > _FEW_ROWS and (unit or upper.diagonal().all()):
        found = np.linalg.solve(_triangle(upper, unit), rest)
        if np.isfinite(found).all():
            rest[...] = found
            return
    for row in range(n - 1, -1, -1):
        rest[row] -= upper[row, row + 1 :] @ rest[row + 1 :]
        if not unit:
            rest[row] /= upper[row, row]


def _triangle(block: Matrix, unit: bool) -> Matrix:
    """The upper triangle of a block, with ones on its diagonal if ``unit``."""
    n = len(block)
    if not unit:
        return np.where(_UPPER[:n, :n], block, block.dtype.type(0))
    found = np.where(_STRICTLY_UPPER[:n, :n], block, block.dtype.type(0))
    np.fill_diagonal(found, 1)
    return found
