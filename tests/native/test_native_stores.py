"""Stores of numbers that do not fit: what NumPy raises, wraps or truncates, and what was stored before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from scalar_programs import Outcome
from sources import switched

from nprewrite.runtime import Native
from nprewrite.runtime.numba.short_runs import ShortRuns

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
VALUES = sorted({0, -1, *(2**k + d for k in (7, 8, 15, 16, 31, 32) for d in (-1, 0)), -(2**31) - 1})
OF_INTEGERS = [
    "a[i] = v[i]",
    "a[index[i]] = v[i]",
    "a[i] = v[i] * 2",
    "a[i] = 2 - v[i]",
    "a[i] += v[i]",
    "a[index[i]] += v[i]",
    "a[i] = w[i]",
    "a[i] += w[i]",
    "a[i] = u[i]",
    "a[i] = h[i]",
    "a[i] = h[i] + 1",
    "a[i] = int(v[i])",
    "a[i] = int(u[i]) + 1",
    "a[i] = v[i] if v[i] > 5 else i - 200",
    "a[i] += i * 200",
    "a[i] = v[i] > 3",
    "m[i, :] = v[i]",
    "a[i:i] = v[i]",
]
"""With v, w, u, h of int64, int8, uint32, uint64."""
PARTS = [
    "a[i:i + 1] = v[i]",
    "a[i:i + 1] = v[i:i + 1]",
    "m[i] = v[i], 1",
    "a[i:i + 1] += v[i]",
]
OF_FLOATS = [
    "a[i] = x[i]",
    "a[i] = x[i] * 2",
    "a[i] += x[i]",
    "a[i] = float(x[i])",
    "a[i] = y[i]",
    "a[i:i + 1] = x[i]",
    "a[i] += h[i]",
    "a[i] = float(h[i] == 9007199254740993)",
]
NOT_FOLLOWED = "a value that is not followed"


def written(statements: list[str]) -> str:
    return switched("a, m, index, v, w, u, h, x, y", "len(v)", statements)


def given(dtype: str, way: int, value: float) -> tuple[np.ndarray, ...]:
    """The arguments: the number stands between others, in arrays of each dtype that is stored from."""
    with np.errstate(all="ignore"):
        kinds = ["int64", "int8", "uint32", "uint64", "float64", "float32"]
        sources = [np.array([1, value, 2]).astype(each) for each in kinds]
    a, m = np.array([1, 0, 1], dtype), np.ones((3, 2), dtype)
    return a, m, np.array([2, 0, 1]), *sources, np.array([way])


def check(loop: Native, dtype: str, statements: list[str], values: list[Any]) -> None:
    """The compiled loop does what the one as written does, and stops where that one raises."""
    for (way, statement), value in product(enumerate(statements), values):
        arguments = given(dtype, way, value)
        loop.short_runs, loop._repeated = ShortRuns(), 0
        before = Counter(loop.runs)
        seen, expected = Outcome.of(loop, arguments), Outcome.of(loop.function, arguments)
        assert seen == expected, (statement, value)
        ran = [*(loop.runs - before)]
        assert ran in ([], ["compiled"], ["as written: an error"], [f"as written: {NOT_FOLLOWED}"]), ran


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint16", "uint64", "bool", "float32"])
def test_integers(dtype: str, make: Callable[[str], Native]) -> None:
    # Of uint64 and int64 NumPy makes float64.
    statements = [each for each in OF_INTEGERS if "+=" not in each or dtype != "uint64"]
    loop = make(written(statements))
    check(loop, dtype, statements, [*VALUES, 2**63 - 1, -(2**63)])
    # Where it raises it does so by itself: nothing is run twice.
    assert [*loop.runs] == ["compiled"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", INTEGERS)
def test_parts(dtype: str, make: Callable[[str], Native]) -> None:
    statements = PARTS if np.can_cast(np.int64, dtype, "same_kind") else PARTS[:-1]
    check(make(written(statements)), dtype, statements, VALUES)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", [*INTEGERS, "bool", "float32"])
def test_floats(dtype: str, make: Callable[[str], Native]) -> None:
    values = [*map(float, VALUES), 1.5, -0.5, 255.75, 1e30, 2.0**63, np.nan, np.inf]
    check(make(written(OF_FLOATS)), dtype, OF_FLOATS, values)


@pytest.mark.parametrize(
    "statement",
    [
        *("x[k[i]] = 1", "x[k[i]] = v[i]", "x[k[i]] = k[i]", "x[k[i]] += 1", "x[k[i][:2]] = 3", "x[v] = 5"),
        *("q = k[i]\n  x[q] = 2", "x[x > 3] = 1", "m = x > 3\n  x[m] += 1", "x[2:][k[i]] = 3", "x[v][0] = 5"),
    ],
)
def test_stores_at_arrays_of_indices_and_masks_reach_the_array(
    statement: str, make: Callable[[str], Native]
) -> None:
    """They were stored into a copy of what they pick."""
    compiled = make(f"def f(x, k, v):\n for i in range(len(k)):\n  {statement}\n  x[i] += v[i]\n")
    for dtype in (np.uint16, float):
        x, k, v = np.arange(12).astype(dtype), np.array([[1, 2, 4], [3, 5, 7]]), np.array([7, 1])
        expected = x.copy()
        compiled.function(expected, k, v)
        compiled(x, k, v)
        np.testing.assert_array_equal(x, expected)
