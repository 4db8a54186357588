"""Loops over small tables of numbers, compiled for what these hold, or reading them as lists."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from sources import function_of

import nprewrite
from nprewrite.lowering.tables import table_of
from nprewrite.runtime import native

DIRS = ((-1, 0), (1, 0), (0, -1), (0, 1))
LOOPS: dict[str, tuple[str, dict[str, Any]]] = {
    "rows": ("for u, v in t:\n            y += a[i + u] * v", {"t": DIRS}),
    "rows in lists": ("for u, v in t:\n            y += a[i + u] * v", {"t": [[-1, 2], [1, True]]}),
    "numbers": ("for u in t:\n            y += a[i] * u", {"t": [0.5, 2, True]}),
    "side by side": (
        "for (u, v), w in zip(t, s):\n            y += a[i + u] * v + w",
        {"t": DIRS, "s": [0.1, 0.2, 0.3, 0.4]},
    ),
    "numbered": ("for k, (u, v) in enumerate(t):\n            y += a[i + u] * k - v", {"t": DIRS}),
    "numbers of rows": ("for d in t:\n            y += a[i + d[0]] * d[1]", {"t": [[0, 1], [1, 2]]}),
    "length": ("for u, v in t:\n            y += len(t) + a[i + u] - v", {"t": DIRS}),
    "an else": (
        "for u, v in t:\n            if a[i + u] > v:\n                break\n"
        "        else:\n            y -= 1",
        {"t": DIRS},
    ),
    "out of range": ("for u in t:\n            y += a[i + u]", {"t": (0, 5)}),
    "other lengths": ("for u, v in zip(t, s):\n            y += u * v", {"t": (1, 2, 3), "s": [1, 2]}),
    "last number": ("for u in t:\n            y = u", {"t": (1, 2.5)}),
}  # fmt: skip


def outcome(function: Any, *arguments: Any) -> Any:
    try:
        made = function(*arguments)
    except (IndexError, TypeError, ValueError) as error:
        return type(error), str(error)
    return type(made), made


@pytest.mark.parametrize("name", LOOPS)
def test_same_results(name: str) -> None:
    body, tables = LOOPS[name]
    names = ", ".join(tables)
    text = f"def f(a, {names}):\n    y = 0\n    for i in range(1, 9):\n        {body}\n    return y\n"
    written = function_of(text)
    compiled = native(tables=(*tables,))(written)
    a = np.linspace(0, 1, 10)
    assert outcome(compiled, a, *tables.values()) == outcome(written, a, *copy.deepcopy([*tables.values()]))
    assert compiled.runs["compiled"] or name == "other lengths"


SUM = """
def f(a, t):
    y = 0
    for i in range(1, 9):
        for u in t:
            y += a[i] * u
    return y
"""


def test_another_content_is_compiled_anew_and_a_few_times_only() -> None:
    written = function_of(SUM)
    compiled = native(tables=("t",))(written)
    a = np.arange(10)
    for table in ((1, 0), (True, False), [1.0, 0.0], (1, 0), [3, 4], [5], (1, 0)):
        assert outcome(compiled, a, table) == outcome(written, a, table)
    assert compiled.runs["compiled"] == 7
    assert len(compiled._compiled) == 4


def test_the_sign_of_zero_is_content() -> None:
    written = function_of("def f(t):\n    y = 0\n    for u in t:\n        y = u * 2\n    return y\n")
    compiled = native(tables=("t",))(written)
    for table in ([1.0, -0.0], [1.0, 0.0], [1.0, -0.0]):
        assert repr(compiled(table)) == repr(written(table))
    assert compiled.runs == {"compiled": 3}


CHANGED = {
    "numbers": ("for w in t:\n            y += w\n        xs[0] = i", lambda t: t, [1, 2]),
    "rows": ("for u, v in t:\n            y += u * v\n        xs[0] = i", lambda t: t[0], [[1, 2], [3, 4]]),
    "appended": ("for w in t:\n            y += w\n        xs.append(i % 3)", lambda t: t, [1, 2]),
    "filled": ("for w in t:\n            y += w\n        xs[1].append(i)", lambda t: [[], t], [1, 2]),
    "lists in a tuple": (
        "for u, v in t:\n            y += u * v\n        xs[1] = i",
        lambda t: t[1],
        ([1, 2], [3, 4]),
    ),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_table_that_changes_under_another_name(name: str) -> None:
    body, named, table = CHANGED[name]
    text = f"def f(t, xs, n):\n    y = 0\n    for i in range(n):\n        {body}\n    return y\n"
    written = function_of(text)
    compiled = native(tables=("t",))(written)
    outcomes = []
    for function in (compiled, written):
        given: Any = copy.deepcopy(table)
        outcomes.append((outcome(function, given, named(given), 9), given))
        outcomes.append((outcome(function, given, named(copy.deepcopy(given)), 9), given))
    assert outcomes[:2] == outcomes[2:]
    assert compiled.runs == {"as written: two names of one list": 1, "compiled": 1}


@pytest.mark.parametrize(
    "table", [(), [], "ab", ((1, 2), (3,)), ((1,), 2), (1, "a"), (1, np.float64(2)), [[(1,)]], [0] * 40, None]
)
def test_what_is_no_table(table: Any) -> None:
    assert table_of(table) is None
    written = function_of("def f(t):\n    for u in t:\n        pass\n")
    assert outcome(native(tables=("t",))(written), table) == outcome(written, table)


LAST = """
def f(a, t):
    d = (0, 0)
    for i in range(3):
        for d in t:
            a[i] += d[0]
    return d
"""


def test_rows_with_a_name_stay_what_they_are() -> None:
    """The row of a list of lists is a list, which its user may change."""
    compiled = native(tables=("t",))(function_of(LAST))
    assert compiled(np.zeros(3), [[1, 2], [3, 4]]) == [3, 4]


NEIGHBOURS = ((-1, 0), (1, 0), (0, -1), (0, 1))
MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]
LENGTHS = [0.5, 1.0, 2.0]
SIGNS = (1, -1)


def spread(a: Any) -> Any:
    new = a.copy()
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            count = 0
            for di, dj in NEIGHBOURS:
                if a[i + di, j + dj] > 0.5:
                    count += 1
            new[i, j] = 0.9 * a[i, j] if count > 2 else min(1.0, a[i, j] + 0.1 * count)
    return new


def walk(n: int, rng: Any) -> Any:
    x, y = np.zeros(n + 1), np.zeros(n + 1)
    for i in range(n):
        dx, dy = MOVES[rng.integers(4)]
        x[i + 1] = x[i] + dx * LENGTHS[i % 3]
        y[i + 1] = y[i] + dy * SIGNS[rng.integers(2)]
    return x + 1j * y


class Grid:
    def __init__(self, values: Any) -> None:
        self.values = values
        self.near = [[0, 1], [1, 0], [0, -1], [-1, 0]]

    def peaks(self) -> int:
        found = 0
        for i in range(1, self.values.shape[0] - 1):
            for j in range(1, self.values.shape[1] - 1):
                for di, dj in self.near:
                    if self.values[i + di, j + dj] >= self.values[i, j]:
                        break
                else:
                    found += 1
        return found


FIELD = np.random.default_rng(3).random((14, 12))


PAIRS = [(0, 1), (1, 0)]
PAIRS = np.array(PAIRS)  # type: ignore[assignment]


def over_an_array(a: Any) -> Any:
    total = 0.0
    for i in range(len(a) - 1):
        for u, v in PAIRS:
            total += a[i + u] * v
        total *= 0.5
        a[i] = total
    return total


def test_what_becomes_an_array_is_one() -> None:
    function: Any = nprewrite.jit(over_an_array)
    for _ in range(2):
        given, wanted = np.arange(9.0), np.arange(9.0)
        assert outcome(function, given) == outcome(over_an_array, wanted)
        assert np.array_equal(given, wanted)
    assert "_loop" in function.source
    compiled = native(tables=("t",))(function_of(SUM))
    for table in (np.array([1.5, 2.5]), [1.5, 2.5]):
        assert outcome(compiled, np.arange(10), table) == outcome(compiled.function, np.arange(10), table)
    assert compiled.runs["compiled"] == 2


def test_tables_of_the_module_and_of_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    function = nprewrite.jit(spread)
    for table in (NEIGHBOURS, [(2, 0), (1, 1)], ((1, 0, 2),), ((20, 0),)):
        monkeypatch.setitem(globals(), "NEIGHBOURS", table)
        given, wanted = outcome(function, FIELD.copy()), outcome(spread, FIELD.copy())
        assert given[0] == wanted[0]
        assert np.array_equal(given[1], wanted[1]) if given[0] is np.ndarray else given == wanted
    assert "_loop" in function.source
    grid = Grid(FIELD)
    peaks: Any = nprewrite.jit(Grid.peaks)
    for near in (grid.near, ((0, 1),), []):
        grid.near = near  # type: ignore[assignment]
        assert outcome(peaks, grid) == outcome(Grid.peaks, grid)
    assert "_loop" in peaks.source


def test_lists_of_the_module_are_read_by_drawn_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    function = nprewrite.jit(walk)
    for seed, moves in enumerate((MOVES, [(3, 4), (5, 6), (0, 0), (1.5, 2)], [(1, 2)])):
        monkeypatch.setitem(globals(), "MOVES", moves)
        given = outcome(function, 60, np.random.default_rng(seed))
        wanted = outcome(walk, 60, np.random.default_rng(seed))
        assert given[0] == wanted[0]
        assert np.array_equal(given[1], wanted[1]) if given[0] is np.ndarray else given == wanted
    assert "_loop" in function.source
