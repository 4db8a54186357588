"""Compiled loops: indices that are proved or checked, what is left after an error, what runs as written."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scalar_programs import Outcome

from nprewrite.base.errors import FallbackError, NprewriteWarning
from nprewrite.runtime import Native
from nprewrite.runtime.numba import gathered

Make = Callable[[str], Native]

SWEEP = """
def f(u, n):
    for i in range(1, n):
        u[i] = u[i] + u[i - 1]
"""
TRIANGLE = """
def f(L, x, n):
    for i in range(n):
        for j in range(i):
            x[i] = x[i] - L[i, j] * x[j]
        for j in range(n - 1, i, -1):
            x[j - i] = x[j - i] + L[j, j - i - 1]
"""
KNAPSACK = """
def f(weights, best, capacity):
    for i in range(len(weights)):
        for w in range(capacity, weights[i] - 1, -1):
            best[w] = max(best[w], best[w - weights[i]] + 1)
"""
ROWS = """
def f(starts, columns, x, y):
    for row in range(len(starts) - 1):
        total = 0.0
        for k in range(starts[row], starts[row + 1]):
            total += x[columns[k]]
        y[row] = total
    return total
"""
COUNT = """
def f(x, limit):
    count = 0
    for i in range(len(x)):
        if x[i] > limit:
            count += 1
    return count
"""
POWERS = """
def f(x, n):
    p = 1
    for i in range(n):
        p *= 3
        x[i] = p % 7
    return p
"""
LAST = """
def f(x, limit):
    for i in range(len(x)):
        if x[i] > limit:
            where = i
    return where, i
"""


def text_of(compiled: Native, *arguments: Any) -> str:
    """The lowered text for a call."""
    return compiled._plans.like(arguments).plan.lowered.text


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (SWEEP, (np.ones(8), 8)),
        (TRIANGLE, (np.ones((6, 6)), np.ones(6), 6)),
        (KNAPSACK, (np.array([2, 3, 5]), np.zeros(9), 8)),
        (ROWS, (np.array([0, 2, 3]), np.array([1, 0, 3]), np.ones(4), np.zeros(2))),
        (COUNT, (np.ones(5), 0.5)),
    ],
)
def test_ranges_are_proved(make: Make, text: str, arguments: tuple[Any, ...]) -> None:
    assert "return 1" not in text_of(make(text), *arguments)
    assert "return 6" not in text_of(make(text), *arguments)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (SWEEP, (np.ones(8), 9)),
        (TRIANGLE, (np.ones((5, 6)), np.ones(6), 6)),
        (KNAPSACK, (np.array([2, 3, 5]), np.zeros(9), 9)),
        (ROWS, (np.array([0, 2, 3]), np.array([1, 0, 4]), np.ones(4), np.zeros(2))),
    ],
)
def test_an_index_out_of_range_raises_where_the_original_does(
    make: Make, text: str, arguments: tuple[Any, ...]
) -> None:
    compiled = make(text)
    expected = Outcome.of(compiled.function, arguments)
    assert expected.result.startswith("IndexError: index ")
    assert Outcome.of(compiled, arguments) == expected


def test_only_arrays_whose_elements_matter_are_looked_at(make: Make) -> None:
    """Indices are, so that every call asks for their range; what is only compared is not."""
    rows = make(ROWS)._plans.like((np.array([0, 2, 3]), np.array([1, 0, 3]), np.ones(4), np.zeros(2))).plan
    assert rows.contents == {0: (0, 3), 1: (0, 3)}
    count = make(COUNT)
    assert count._plans.like((np.array([3, 1, 2]), 2)).plan.contents == {}
    for largest in (np.iinfo(np.int64).max, 5):
        arguments = (np.array([3, 1, largest]), 2)
        assert Outcome.of(count, arguments) == Outcome.of(count.function, arguments)
    table = make("def f(t, k):\n    for i in range(len(k)):\n        t[k[i]] += 1\n")
    assert table._plans.like((np.zeros(256), np.array([7], np.uint8))).plan.contents == {}
    assert table._plans.like((np.zeros(255), np.array([7], np.uint8))).plan.contents == {1: (7, 7)}


def test_a_plan_holds_while_indices_stay_within_what_was_seen_and_are_not_stored_into(make: Make) -> None:
    """The second call differs in what its indices hold; in the third, the loop changes them."""
    compiled = make("def f(t, k):\n    for i in range(len(k)):\n        t[k[i]] += 1 + i\n")
    shared = np.array([2, 0, 2])
    for t, k in [(shared, np.array([0, 2, 1])), (shared, np.array([1, 9, 2])), (shared, shared)]:
        assert Outcome.of(compiled, (t, k)) == Outcome.of(compiled.function, (t, k))
    assert Outcome.of(compiled, (shared, shared)).result.startswith("IndexError: index ")


def test_arrays_of_ever_other_lengths_are_looked_at_a_few_times(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = make(
        "def f(u, v, k):\n    for i in range(9):\n        v[i] = u[i] + u[i - k]\n    return v[-1]\n"
    )
    made = []
    new_plan = type(compiled._plans)._new_plan

    def counted(plans: Any, arguments: Any) -> Any:
        made.append(arguments)
        return new_plan(plans, arguments)

    monkeypatch.setattr(type(compiled._plans), "_new_plan", counted)
    for size in range(30, 0, -1):
        # The last ones are too short, and one is of another type.
        for k in (1, 3) if size != 20 else (2**70,):
            arguments = (np.arange(float(size)), np.zeros(30 - size % 2), k)
            assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)
    arguments = (np.arange(30)[::2], np.zeros(30), 1)
    assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)
    assert len(made) < 20


def test_an_array_in_the_place_of_an_integer_that_has_varied(make: Make) -> None:
    compiled = make("def f(u, k):\n    for i in range(3):\n        u[i] = u[i] + k\n")
    for k in (*range(12), np.ones(3), 2**70, 1):
        arguments = (np.zeros(3), k)
        assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)


def test_the_least_of_several_keeps_the_type_of_the_first(make: Make) -> None:
    """Only among integers of one type it does not matter which of equal ones is taken."""
    text = "def f(u, v):\n    for i in range(1, 5):\n        t = {}\n        v[i] = t\n        u[i] += t\n"
    for least in ("min(u[i - 1], u[i], v[i])", "max(u[i - 1], 2, u[i])", "min(v[i - 1] + 1, u[i], i)"):
        for v in (np.array([2, 0, 2, 3, 2]), np.array([2.0, 0.0, np.nan, 3.0, 2.0])):
            compiled = make(text.format(least) + "    return t\n")
            arguments = (np.array([4, 2, 2, 0, 3]), v)
            assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)


def test_negative_indices_count_from_the_end(make: Make) -> None:
    compiled = make("def f(u, k):\n    for i in range(4):\n        u[i - 2] = u[k] + i\n    return u[-1]\n")
    for k in (-1, -4, 3, -5):
        arguments = (np.arange(4.0), k)
        assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)
    # The last one has raised.
    assert compiled.runs["compiled"] == 4


def test_integers_that_leave_64_bits_are_left_to_python(make: Make) -> None:
    compiled = make(POWERS)
    x = np.zeros(60)
    assert compiled(x, 30) == 3**30
    assert compiled(x, 50) == 3**50
    expected = np.zeros(60)
    assert compiled.function(expected, 50) == 3**50
    assert np.array_equal(x, expected)
    assert compiled.runs == {"compiled": 1, "as written: a value that is not followed": 1}


def test_shared_memory_is_stored_into_in_order(make: Make) -> None:
    compiled = make("def f(a, b):\n    for i in range(len(b)):\n        a[i] = b[i] + 1\n")
    first, second = np.arange(9.0), np.arange(9.0)
    compiled(first[1:], first[:-1])
    compiled.function(second[1:], second[:-1])
    assert np.array_equal(first, second)
    assert compiled.runs == {"compiled": 1}


def test_every_layout(make: Make) -> None:
    compiled = make(TRIANGLE)
    L = np.linspace(0, 1, 144).reshape(12, 12)
    for matrix in (L[::2, ::2], L[:6, :6].T, L[5::-1, 5::-1]):
        arguments = (matrix, np.ones(6), 6)
        assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)
    assert compiled.runs == {"compiled": 3}


def test_names_without_a_value_raise(make: Make) -> None:
    compiled = make(LAST)
    x = np.arange(4.0)
    assert compiled(x, 1.5) == (3, 3)
    with pytest.raises(UnboundLocalError):
        compiled(x, 9.0)
    with pytest.raises(UnboundLocalError):
        compiled(x[:0], 1.5)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((None, 2), "not-plain-array"),
        ((range(4), 2), "type of u"),
        ((np.ones(4).astype(">f8"), 4), "type of u"),
        ((np.ma.ones(4), 4), "type of u"),
        ((np.ones(4), 2**70), "type of n"),
    ],
)
def test_other_types_run_as_written(make: Make, arguments: tuple[Any, ...], reason: str) -> None:
    compiled = make(SWEEP)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NprewriteWarning)
        assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)
    assert [*compiled.runs] == [f"as written: {reason}"]


def test_read_only_arrays_raise_as_in_numpy(make: Make) -> None:
    u = np.ones(4)
    u.flags.writeable = False
    with pytest.raises(ValueError, match="read-only") as raised:
        make(SWEEP)(u, 4)
    assert raised.value.__context__ is None


def test_watched_floating_point_errors_run_as_written(make: Make) -> None:
    compiled = make("def f(u):\n    for i in range(len(u)):\n        u[i] = 1 / u[i]\n")
    with np.errstate(divide="raise"), warnings.catch_warnings():
        warnings.simplefilter("error", NprewriteWarning)
        with pytest.raises(FloatingPointError):
            compiled(np.zeros(3))
    with np.errstate(divide="raise"), pytest.warns(NprewriteWarning, match="the loop in `test_watched"):
        compiled(np.ones(3))


def test_a_fallback_can_be_an_error(make: Make) -> None:
    compiled = make(SWEEP)
    compiled.on_fallback = "raise"
    with pytest.raises(FallbackError, match="builtins"):
        compiled(["1", "2"], 2)


def test_without_numba_and_switched_off(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = make(SWEEP)
    u = np.ones(4)
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    compiled(u, 4)
    monkeypatch.setenv("NPREWRITE_DISABLE", "0")
    monkeypatch.setattr(import_module("nprewrite.runtime.numba.decorator"), "_has_numba", lambda: False)
    with pytest.warns(NprewriteWarning, match=r"nprewrite\[native\]"):
        compiled(u, 4)
    assert [*compiled.runs] == ["as written: NPREWRITE_DISABLE is set", "as written: Numba is missing"]
    assert np.array_equal(u, [1, 3, 6, 10])


PUT_OFF = "as written: too little work to compile for"


def test_short_loops_wait(make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not where an earlier process has compiled them."""
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(gathered, "MINIMUM_WORK", 1000)
    compiled, again = make(SWEEP), make(SWEEP)
    for _ in range(40):
        compiled(np.ones(30), 30)
    assert compiled.runs[PUT_OFF] > 5
    assert compiled.runs["compiled"] > 5
    again(np.ones(30), 30)
    assert again.runs == {"compiled": 1}


def test_loops_that_take_long_do_not_wait(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """However few their statements are."""
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(gathered, "MINIMUM_WORK", 1 << 18)
    monkeypatch.setattr(gathered, "MINIMUM_S", 1e-9)
    compiled = make(SWEEP)
    for _ in range(2):
        compiled(np.ones(30), 30)
    assert compiled.runs == {PUT_OFF: 1, "compiled": 1}


PAIRS = """
def f(x, i):
    total = 0.0
    for j in range(len(x)):
        if j != i:
            total += abs(x[j] - x[i])
    return total, i
"""


def test_two_texts_for_a_set_of_types(make: Make) -> None:
    """Numbers that need other checks than the first do not make Numba compile again and again."""
    compiled = make(KNAPSACK)
    for capacity in (3, 8, 11, 12, 20, 30):
        arguments = (np.array([2, 3, 5]), np.zeros(12), capacity)
        assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)
    assert len(compiled._compiled) == 2


def test_the_values_of_an_integer_that_varies_do_not_matter(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each plan takes some 30 ms: 16 of them took half of the run of a program with one loop for each i."""
    compiled, lowered = make(PAIRS), []
    lower = compiled._plans._lowered
    monkeypatch.setattr(compiled._plans, "_lowered", lambda *given: (lowered.append(1), lower(*given))[1])
    x = np.linspace(0, 1, 50)
    for i in (*range(50), -1, 50, 2**62, np.int64(3), 0):
        assert Outcome.of(compiled, (x, i)) == Outcome.of(compiled.function, (x, i)), i
    assert compiled.runs["compiled"] == 55
    assert len(lowered) < 14
    assert len(compiled._plans._plans) < 14


def test_fields_of_packed_records(make: Make) -> None:
    """Their elements are not aligned."""
    compiled = make(SWEEP)
    records = np.zeros(9, [("kind", np.int8), ("u", float)])
    records["u"] = np.arange(9)
    wanted = records["u"].copy()
    compiled.function(wanted, 9)
    assert not records["u"].flags.aligned
    compiled(records["u"], 9)
    assert np.array_equal(records["u"], wanted)
    assert compiled.runs["compiled"] == 1


TELLING = """
def f(x, y, limit):
    for i in range(len(x)):
        step = x[i]
        y[i] += 1
        for _ in range(20):
            step /= 2
        if abs(step) > limit:
            print("at", i, step)
        y[i] += step
"""


def test_what_is_told_in_rare_cases_is_told_once(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    compiled = make(TELLING)
    x = np.linspace(-3, 3, 50)
    for limit, told in ((1.0, 0), (2.8e-6, 2), (1.0, 0)):
        y, wanted = np.zeros(50), np.zeros(50)
        compiled.function(x, wanted, limit)
        expected = capsys.readouterr().out
        compiled(x, y, limit)
        assert capsys.readouterr().out == expected
        assert expected.count("at") == told
        assert np.array_equal(y, wanted)
    assert compiled.runs == {"compiled": 3}


def test_a_warning_in_rare_cases(make: Make) -> None:
    """By the names that the rewriter takes for it, too."""
    compiled = make("import warnings\n" + TELLING.replace('print("at", i, step)', 'warnings.warn("far")'))
    x = np.linspace(-3, 3, 50)
    compiled(x, np.zeros(50), 1.0)
    assert compiled.runs == {"compiled": 1}
    with pytest.warns(UserWarning, match="far"):
        compiled(x, np.zeros(50), 2.8e-6)


@pytest.mark.filterwarnings("ignore::nprewrite.base.errors.NprewriteWarning")
@pytest.mark.parametrize("test", ["i % 10 == 0", "verbose", "i > 40"])
def test_what_is_told_every_so_often_leaves_the_loop_as_written(
    test: str, make: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    """The loops inside of it may be compiled by themselves."""
    compiled = make(TELLING.replace("abs(step) > limit", test).replace("limit", "verbose"))
    compiled(np.linspace(-3, 3, 50), np.zeros(50), True)
    assert capsys.readouterr().out.count("at") > 4
    assert not compiled.runs["compiled"]
    assert "as written: a value that is not followed" not in compiled.runs


def test_numbers_that_were_imported_by_themselves(make: Make) -> None:
    compiled = make(
        "from math import pi\n\ndef f(x):\n    for i in range(len(x)):\n        x[i] = pi * x[i]\n"
    )
    x = np.ones(4)
    compiled(x)
    assert x.tolist() == [np.pi] * 4
    assert compiled.runs == {"compiled": 1}


def test_index_arrays_with_other_numbers_at_each_call(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gas whose particles were sorted anew before each call was lowered anew for each, 140 ms for 3."""
    compiled, lowered = make("def f(x, k):\n    for i in range(len(k)):\n        x[k[i]] += i\n"), []
    lower = compiled._plans._lowered
    monkeypatch.setattr(compiled._plans, "_lowered", lambda *given: (lowered.append(1), lower(*given))[1])
    for high in (*range(1, 30), 40):
        arguments = np.zeros(30), np.arange(10, dtype=np.int64) % high + high - 1
        assert Outcome.of(compiled, arguments) == Outcome.of(compiled.function, arguments)
    assert len(lowered) < 15
