"""Compiled sweeps: every layout and length, lanes that do not fit, shared memory, errors half way."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scalar_programs import Outcome
from sources import function_of
from test_native_programs import load

import nprewrite
from nprewrite.base.errors import NprewriteWarning
from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.runtime import Sweep, sweep

CATALOGUE = Path(__file__).parents[2] / "passes" / "native-sweep" / "rewrites"

FILTER = """
def f(x, y, b, m):
    for j in range(1, m):
        y[:, j] = x[:, j] + b * y[:, j - 1]
"""
LAG = """
def f(y, lag, m):
    for j in range(m):
        y[:, j] = 0.5 * y[:, j - lag] + 1
    return j
"""
PARTS = """
def f(u, v, n):
    for i in range(1, n):
        u[i, 1:-1] = 0.25 * u[i - 1, 1:-1] + v[i, 2:]
        v[i, 1:-1] = u[i, 1:-1] - v[i - 1, :-2]
"""
STEPS = """
def f(u, r, n):
    for t in range(n - 1):
        u[t + 1, 1:-1] = u[t, 1:-1] + r * (u[t, 2:] - 2 * u[t, 1:-1] + u[t, :-2])
        u[t + 1, 0] = u[t + 1, 1]
"""
AROUND = """
def f(u, n):
    for t in range(n):
        u[t, 1:] = u[t - 1, :-1] + u[t - 2, 1:]
"""
ROWS = """
def f(d, w, x, n):
    for i in range(n - 2, -1, -1):
        scaled = d[i] * w[i]
        x[i] = scaled - x[i + 1] / x[i, 0]
"""


def outcome(function: Callable[..., Any], given: tuple[Any, ...]) -> Outcome:
    """What a call gives, without a word about overflow and division by zero."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return Outcome.of(function, given)


def agrees(text: str, *given: Any, compiled: bool = True) -> Sweep:
    """Run a sweep and the function as written on copies; they have to agree, and the sweep to be compiled."""
    function = function_of(text)
    made = sweep(function)
    assert outcome(made, given) == outcome(function, given)
    assert bool(made.runs["compiled"]) is compiled, made.runs
    return made


def matrix(*shape: int, dtype: Any = np.float64) -> np.ndarray:
    """Numbers of both signs."""
    return np.random.default_rng(sum(shape)).normal(0, 3, shape).astype(dtype)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(each.name for each in CATALOGUE.iterdir()))
def test_catalogue(name: str, tmp_path: Path) -> None:
    before = load(CATALOGUE / name / "before.py")
    path = tmp_path / "after.py"
    path.write_text(rewrite_source((CATALOGUE / name / "before.py").read_text(), "before.py", Options()).text)
    after = load(path)
    for function, given, *_ in before.cases():
        assert Outcome.of(getattr(after, function), given) == Outcome.of(getattr(before, function), given)
    runs = [dict(each.runs) for each in vars(after).values() if isinstance(each, Sweep)]
    assert runs
    assert all(each.get("compiled") for each in runs), runs


def test_lengths_and_layouts() -> None:
    made = sweep(function_of(FILTER))
    for shape, m in (((5, 33), 33), ((5, 33), 1), ((5, 33), 0), ((1, 2), 2), ((7, 3), 3)):
        x, y = matrix(*shape), matrix(*shape)
        for form in (np.asarray, np.asfortranarray, lambda a: a[::-1, ::-1], lambda a: a.T.copy().T):
            given = form(x), form(y), 0.3, m
            assert outcome(made, given) == outcome(made.function, given)
    assert set(made.runs) == {"compiled"}


@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.uint8, np.bool_])
def test_dtypes(dtype: Any) -> None:
    x, y = matrix(4, 20, dtype=dtype), matrix(4, 20, dtype=dtype)
    agrees(FILTER, x, y, 2, 20)
    agrees(FILTER, x, y.astype(np.float64), 0.5, 20)


def test_stored_floats_are_cut_off_and_what_does_not_fit_is_left_to_numpy() -> None:
    x, y = matrix(3, 12), matrix(3, 12, dtype=np.int64)
    agrees(FILTER, x, y, 0.5, 12)
    x[1, 7] = np.nan
    agrees(FILTER, x, y, 0.5, 12, compiled=False)


def test_an_index_from_the_end_and_one_out_of_range() -> None:
    made = agrees(LAG, matrix(4, 9), 3, 9)
    for lag, m in ((0, 9), (-1, 8), (9, 9), (-1, 9), (10, 9), (3, 10)):
        y = matrix(4, 9)
        given = (y, lag, m)
        assert outcome(made, given) == outcome(made.function, given)


def test_no_iteration_leaves_no_loop_variable() -> None:
    agrees(LAG, matrix(4, 9), 3, 0, compiled=False)


def test_parts_of_rows_get_passes_of_their_own() -> None:
    made = agrees(PARTS, matrix(6, 9), matrix(6, 9), 6)
    for shape in ((6, 2), (6, 3), (1, 5), (6, 1)):
        given = (matrix(*shape), matrix(*shape), shape[0])
        assert outcome(made, given) == outcome(made.function, given)


def test_rows_from_neighbours_in_other_rows() -> None:
    agrees(STEPS, matrix(12, 30), 0.2, 12)
    # The row before the first is the last one: itself, where there is one row only.
    for rows in (5, 3, 2):
        agrees(AROUND, matrix(rows, 9), rows)
    agrees(AROUND, matrix(1, 9), 1, compiled=False)


def test_elements_of_a_row_are_read_before_it_is_stored() -> None:
    agrees(ROWS, matrix(6, 4), matrix(6), np.abs(matrix(7, 4)) + 1, 6)
    # The number of axes decides what `d[i]` is.
    agrees(ROWS, matrix(6), matrix(6), np.abs(matrix(7, 4)) + 1, 6)


def test_lanes_that_broadcast_run_as_written() -> None:
    made = agrees(FILTER, matrix(1, 8), matrix(4, 8), 0.5, 8, compiled=False)
    assert made.runs == {"as written: shape of x": 1}


def test_lanes_that_do_not_fit_raise() -> None:
    agrees(FILTER, matrix(3, 8), matrix(4, 8), 0.5, 8, compiled=False)


def test_no_lanes_still_raise() -> None:
    agrees(FILTER, np.zeros((0, 8)), np.zeros((0, 8)), 0.5, 9, compiled=False)


def test_shared_memory_runs_as_written() -> None:
    function = function_of(FILTER)
    made = sweep(function)
    for part in (slice(0, 4), slice(1, 5)):
        u, v = matrix(5, 12), matrix(5, 12)
        with pytest.warns(NprewriteWarning) if part == slice(0, 4) else warnings.catch_warnings():
            made(u[part], u[1:5], 0.5, 12)
        function(v[part], v[1:5], 0.5, 12)
        assert np.array_equal(u, v)
    assert made.runs["compiled"] == 0


def test_an_array_that_overlaps_itself_runs_as_written() -> None:
    def repeated() -> np.ndarray:
        return np.lib.stride_tricks.as_strided(np.ones(12), (3, 12), (0, 8))

    made, y, z = sweep(function_of(FILTER)), repeated(), repeated()
    with pytest.warns(NprewriteWarning, match="overlaps itself"):
        made(matrix(3, 12), y, 0.5, 12)
    made.function(matrix(3, 12), z, 0.5, 12)
    assert np.array_equal(y, z)


def test_read_only_arrays() -> None:
    x, y = matrix(3, 12), matrix(3, 12)
    made, expected = sweep(function_of(FILTER)), y.copy()
    made.function(x, expected, 0.5, 12)
    x.flags.writeable = False
    made(x, y, 0.5, 12)
    assert np.array_equal(y, expected)
    y.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        made(x, y, 0.5, 12)
    # Where no iteration stores, nothing raises.
    with pytest.warns(NprewriteWarning):
        made(x, y, 0.5, 1)


def test_subclasses_other_numbers_and_watched_errors() -> None:
    made = sweep(function_of(FILTER))
    masked = np.ma.masked_array(matrix(3, 12), matrix(3, 12) > 0)
    assert outcome(made, (masked, matrix(3, 12), 0.5, 12)) == outcome(
        made.function, (masked, matrix(3, 12), 0.5, 12)
    )
    for b in (2**70, 0.5j, np.float32(0.5), True):
        given = (matrix(3, 12, dtype=np.float32), matrix(3, 12, dtype=np.float32), b, 12)
        assert outcome(made, given) == outcome(made.function, given)
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        made(np.full((3, 12), 1e300), np.full((3, 12), 1e300), 1e300, 12)


@nprewrite.jit
def advance(x: Any, b: Any) -> Any:
    y = np.zeros_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = x[i] + b * y[i - 1]
    return y, i


def test_the_decorator_waits_for_the_number_of_axes() -> None:
    # With one axis the loop is one over numbers.
    for x in (matrix(30, 7), matrix(30, 7, dtype=np.float32), matrix(30), matrix(8, 3, 2)):
        expected = Outcome.of(advance.original, (x, 0.4))
        for _ in range(4):
            assert Outcome.of(advance, (x, 0.4)) == expected
    assert "NPR403 rewritten" in str(advance.report())


@pytest.mark.parametrize("largest", [3, 300])
@pytest.mark.parametrize("value", ["x[:, j]", "x[:, j] * 2 + y[:, j - 1]", "x[0, j]"])
def test_arrays_wrap_around_where_numbers_raise(value: str, largest: int) -> None:
    compiled = sweep(function_of(f"def f(y, x):\n    for j in range(1, 3):\n        y[:, j] = {value}\n"))
    x = np.full((4, 3), 2)
    x[0, 2] = largest
    given = np.ones((4, 3), np.int8), x
    assert outcome(compiled, given) == outcome(compiled.function, given)
    assert compiled.runs["compiled"] or (value, largest) == ("x[0, j]", 300)
