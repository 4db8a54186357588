"""Items of lists of tuples as positions, also in generators: ``sum(grid[n] for n in neighbours)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nprewrite


def a_display_of_pairs(grid: Any, row: Any, pairs: Any, picks: Any, n: int) -> float:
    total = 0.0
    for k in range(n):
        i, j = k % 5, k % 7
        near = [(i, (j + 1) % 7), (i, j - 1), (i - 1, j), ((i + 1) % 5, j)]
        total += grid[i, j] * sum(np.cos(grid[m]) for m in near)
        grid[i, j] += 0.001 * max(grid[m] for m in near)
    return total


def given_offsets(grid: Any, row: Any, pairs: Any, picks: Any, n: int) -> float:
    total = 0.0
    for k in range(n):
        total += sum(grid[(k + d[0]) % 5, (k * d[0] + d[1]) % 7] for d in pairs)
        total -= sum(x * y for x, y in pairs)
    return total


def given_numbers(grid: Any, row: Any, pairs: Any, picks: Any, n: int) -> float:
    total = 0.0
    for k in range(n):
        total += sum(row[m] * k for m in picks) + any(m > k for m in picks)
    return total


def out_of_range(grid: Any, row: Any, pairs: Any, picks: Any, n: int) -> float:
    total = 0.0
    for k in range(n):
        near = [(k % 5, 0), (k // 3000, k % 7)]
        grid[0, 0] += 0.25
        total += sum(grid[m] for m in near)
    return total


def one_name_for_both(grid: Any, row: Any, pairs: Any, picks: Any, n: int) -> float:
    total = 0.0
    for k in range(n):
        near = [(k % 5, 0), (0, k % 7)]
        total += sum(grid[m] for m in near)
        for m in range(3):
            total += row[m]
    return total


COMPILED = (a_display_of_pairs, given_offsets, given_numbers, out_of_range)


@pytest.mark.parametrize("function", [*COMPILED, one_name_for_both])
def test_same_outcome(function: Callable[..., Any]) -> None:
    pytest.importorskip("numba")
    decorated: Any = nprewrite.jit(function, wait=True)
    for n in (9000, 9000, 20_000):
        assert _outcome(decorated, n) == _outcome(function, n)
    assert function not in COMPILED or "x compiled" in str(decorated.report())


def _outcome(function: Callable[..., Any], n: int) -> str:
    random = np.random.default_rng(6)
    grid, row = random.random((5, 7)), random.random(9)
    result: Any = None
    try:
        result = function(grid, row, [(0, 1), (1, 0), (0, -1)], [2, 0, 8], n)
    except IndexError as error:
        result = str(error)
    return repr((result, grid.tolist()))
